import { buildLocal } from './builds.mjs'
import { command } from './command.mjs'
import { productFlags } from './product-flags.mjs'
import { runChild } from './run-child.mjs'
import { setup } from './setup.mjs'
import { withMutex } from './setup-mutex.mjs'

await command(async () => {
  await setup()
  await withMutex(buildLocal)
  return runChild([...productFlags, 'deploy/dist/local.js'])
})
