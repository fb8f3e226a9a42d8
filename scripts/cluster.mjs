import { buildCluster } from './builds/builds.mjs'
import { productFlags } from './product-flags.mjs'
import { command } from './running/command.mjs'
import { runChild } from './running/run-child.mjs'
import { withMutex } from './running/setup-mutex.mjs'
import { setup } from './setup.mjs'

/** `npm run cluster`, `npm run cluster status`: the product in many processes. */
await command(async () => {
  await setup()
  await withMutex(buildCluster)
  return runChild([...productFlags, 'deploy/dist/cluster.js', ...process.argv.slice(2)])
})
