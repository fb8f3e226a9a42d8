import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: '@prosa/kernel',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: ['src/postgres/vitest-global-setup.ts'],
  },
})
