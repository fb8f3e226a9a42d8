import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: '@prosa/deploy',
    testTimeout: 60_000,
    // Importing everything anew for every file would take a quarter of the time.
    isolate: false,
    hookTimeout: 60_000,
    globalSetup: ['../services/kernel/src/postgres/vitest-global-setup.ts'],
  },
})
