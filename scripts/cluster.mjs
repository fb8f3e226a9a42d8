import { buildCluster } from './builds.mjs'
import { command } from './command.mjs'
import { productFlags } from './product-flags.mjs'
import { runChild } from './run-child.mjs'
import { setup } from './setup.mjs'
import { withMutex } from './setup-mutex.mjs'

/** `npm run cluster`, `npm run cluster status`: the product in many processes. */
await command(async () => {
  await setup()
  await withMutex(buildCluster)
  return runChild([...productFlags, 'deploy/dist/cluster.js', ...process.argv.slice(2)])
})
