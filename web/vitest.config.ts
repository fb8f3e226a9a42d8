import { defineConfig } from 'vitest/config'
import { emojiData } from './emoji-data.ts'
import { materialIcons } from './material-icons.ts'

const major = Number(process.versions.node.split('.')[0])

export default defineConfig({
  plugins: [materialIcons(), emojiData()],
  test: {
    name: '@prosa/web',
    environment: 'jsdom',
    // See test/setup.ts for what files of a worker share.
    isolate: false,
    // As in ../vitest.config.ts.
    execArgv: ['--max-semi-space-size=64', ...(major < 24 ? ['--interrupt-budget=1000000'] : [])],
    environmentOptions: { jsdom: { url: 'http://127.0.0.1:3000/' } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    setupFiles: ['test/setup.ts'],
  },
})
