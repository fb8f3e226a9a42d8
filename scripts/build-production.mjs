import { buildProduction } from './builds.mjs'
import { command } from './command.mjs'
import { withLock } from './setup-lock.mjs'

await command(async () => {
  await withLock(buildProduction)
})
