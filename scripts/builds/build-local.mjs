import { command } from '../running/command.mjs'
import { withMutex } from '../running/setup-mutex.mjs'
import { buildLocal } from './builds.mjs'

await command(async () => {
  await withMutex(buildLocal)
})
