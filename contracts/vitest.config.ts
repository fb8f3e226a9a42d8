import { defineConfig } from 'vitest/config'

export default defineConfig({ test: { name: '@prosa/contracts', testTimeout: 30_000 } })
