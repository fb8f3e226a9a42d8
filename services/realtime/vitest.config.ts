import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: '@prosa/realtime',
    testTimeout: 60_000,
    // Importing everything anew for every file would take a quarter of the time.
    isolate: false,
    hookTimeout: 60_000,
    globalSetup: ['../kernel/src/postgres/vitest-global-setup.ts'],
  },
})
