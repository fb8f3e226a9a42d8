import { buildProduction } from './builds.mjs'
import { command } from './command.mjs'
import { withLock } from './setup-lock.mjs'

/** Builds what production runs, where that is not up to date. */
await command(async () => {
  await withLock(buildProduction)
})
