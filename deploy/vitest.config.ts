import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: '@prosa/deploy',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: ['../services/kernel/src/postgres/vitest-global-setup.ts'],
  },
})
