import { command } from '../running/command.mjs'
import { withMutex } from '../running/setup-mutex.mjs'
import { buildProduction } from './builds.mjs'

await command(async () => {
  await withMutex(buildProduction)
})
