import { createLog } from '@prosa/kernel/observability/log'
import { hasBaseState, keepBaseState, restoreBaseState } from './base-state.ts'
import { Cluster } from './cluster.ts'
import { Database, useDatabase } from './platform/database.ts'
import { beginWorld } from './platform/world.ts'
import { startProduct } from './product-process.ts'
import { runSeed } from './run-seed.ts'

/** Arguments: database, first seed, count, 'trace'. Prints a line of JSON per seed. */
const [url = '', first = '1', count = '1', detail = ''] = process.argv.slice(2)
const database = new Database(url)
useDatabase(database)

process.on('unhandledRejection', (error) => {
  process.stderr.write(`unhandled: ${error instanceof Error ? error.stack : error}\n`)
})

// Also where the tables are there: what modules load once, and how long that takes, is then the same for every seed.
const isReady = await hasBaseState()
if (isReady) await restoreBaseState()
const world = beginWorld(0)
await world.run(async () => {
  const product = await startProduct('base', { clock: new Cluster(1).clock })
  await world.pause(3000)
  await product.crash()
})
await database.clear()
if (!isReady) await keepBaseState()

const log = detail === 'log' ? createLog('debug', process.stderr) : undefined
for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
  const began = process.hrtime.bigint()
  const { trace, ...report } = await runSeed(seed, { isTraced: detail === 'trace', ...(log && { log }) })
  const ms = Number((process.hrtime.bigint() - began) / 1_000_000n)
  process.stdout.write(`${JSON.stringify({ ...report, ms })}\n`)
  for (const line of trace ?? []) process.stderr.write(`${line}\n`)
}
await database.close()
process.exit(0)
