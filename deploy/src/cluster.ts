import { join, resolve } from 'node:path'
import { createLog } from '@prosa/kernel/observability/log'
import { orExplain } from '@prosa/kernel/process/explain'
import { DrainCutShort, stopSignals } from '@prosa/kernel/process/run-until-stopped'
import { readConfig } from '@prosa/product/process/config'
import { refuseUnfinishedRestore } from '@prosa/product/process/unfinished-restore'
import { readClusterOptions } from './cluster/cluster-options.ts'
import { clusterFile, runCluster } from './cluster/run-cluster.ts'
import { clusterStatus } from './cluster/status.ts'
import { EmbeddedPostgresError } from './embedded-postgres/embedded-postgres-error.ts'
import { openDatabase } from './local-database.ts'
import { masterSecret } from './master-secret.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)

/** Of each process some 25 at most. */
const maxConnections = 600

const run = async (args: readonly string[]): Promise<void> => {
  const options = readClusterOptions(args)
  const read = readConfig('development')
  const config = { ...read, dataDir: resolve(read.dataDir), filesDir: read.filesDir && resolve(read.filesDir) }
  refuseUnfinishedRestore(config.restoringFile)
  const signals = stopSignals()
  // The processes end with us.
  void signals.insisted.then(() => process.exit(1))
  if (!config.databaseUrl) print('Starting the embedded PostgreSQL…')
  const database = await openDatabase(config, createLog(config.logLevel), maxConnections)
  try {
    const secret = (await masterSecret(config.secret, config.dataDir)).toString('hex')
    const program = join(import.meta.dirname, 'local-service.js')
    const cluster = await runCluster({
      program,
      config,
      databaseUrl: database.url,
      secret,
      options,
      environment: process.env,
      print,
    })
    print(`Prosa is running in many processes: open ${cluster.url} (${cluster.url}/health shows them)`)
    print(`Ending all: ${await signals.asked}`)
    const codes = await cluster.stop()
    print(
      Object.entries(codes)
        .map(([id, code]) => `${id} ${code}`)
        .join(', '),
    )
    if (Object.values(codes).some((code) => code !== 0)) throw new DrainCutShort('Not all ended in order.')
  } finally {
    await database.stop()
  }
}

await orExplain(async () => {
  const [first, ...args] = process.argv.slice(2)
  if (first === 'status') print(await clusterStatus(clusterFile(resolve(readConfig('development').dataDir))))
  else await run(first === undefined ? [] : [first, ...args])
}, [EmbeddedPostgresError])
