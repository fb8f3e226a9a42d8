import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Loading Baileys takes most of a second: the files share one module graph. They leave nothing global behind.
  // A number of workers of its own needs a place of its own in the order.
  test: {
    name: '@prosa/sandbox',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    isolate: false,
    maxWorkers: 2,
    sequence: { groupOrder: 1 },
  },
})
