import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: '@prosa/sessions',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: ['../kernel/src/postgres/vitest-global-setup.ts'],
  },
})
