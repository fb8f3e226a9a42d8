import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: ['contracts', 'projections', 'services/*', 'web', 'deploy'],
    globalSetup: ['services/kernel/src/postgres/vitest-global-setup.ts'],
  },
})
