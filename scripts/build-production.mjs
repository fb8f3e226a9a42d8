import { buildProduction } from './builds.mjs'
import { command } from './command.mjs'
import { withMutex } from './setup-mutex.mjs'

await command(async () => {
  await withMutex(buildProduction)
})
