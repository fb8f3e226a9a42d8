import { buildLocal } from './builds/builds.mjs'
import { productFlags } from './product-flags.mjs'
import { command } from './running/command.mjs'
import { runChild } from './running/run-child.mjs'
import { withMutex } from './running/setup-mutex.mjs'
import { setup } from './setup.mjs'

await command(async () => {
  await setup()
  await withMutex(buildLocal)
  return runChild([...productFlags, 'deploy/dist/local.js'])
})
