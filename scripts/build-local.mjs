import { buildLocal } from './builds.mjs'
import { command } from './command.mjs'
import { withLock } from './setup-lock.mjs'

/** Builds what `npm start` runs, where that is not up to date. */
await command(async () => {
  await withLock(buildLocal)
})
