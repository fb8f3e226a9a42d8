import { resolve } from 'node:path'
import { StoreUnavailable } from '@prosa/kernel/async/reachability'
import { CannotMove } from '@prosa/kernel/event-store/move/cannot-move'
import { createLog } from '@prosa/kernel/observability/log'
import { orExplain } from '@prosa/kernel/process/explain'
import { readDataConfig } from '@prosa/product/process/config'
import { EmbeddedPostgresError } from './embedded-postgres/embedded-postgres-error.ts'
import { openDatabase } from './local-database.ts'
import { type Destination, destinationOf, moveConfiguredLog } from './move-configured-log.ts'
import { terminalProgress } from './terminal-progress.ts'

const after: Record<Destination, string> = {
  eventstoredb: 'start Prosa with this EVENTSTORE_URL from now on',
  postgres: 'start Prosa without EVENTSTORE_URL from now on',
}

/** `npm run move-log -- eventstoredb` or `-- postgres`; see docs/operating.md. */
await orExplain(async () => {
  const destination = destinationOf(process.argv[2])
  const config = readDataConfig()
  const database = await openDatabase({ ...config, dataDir: resolve(config.dataDir) }, createLog('warn'))
  const progress = terminalProgress(process.stdout)
  try {
    const moved = await moveConfiguredLog(destination, { ...config, databaseUrl: database.url }, progress.show)
    progress.end()
    if (moved.state === 'moved') {
      const { events, streams, order, perStream } = moved.verified
      process.stdout.write(
        `Both logs hold the same ${events} events in ${streams} streams.\nIn order: ${order}\nBy stream: ${perStream}\n`,
      )
    }
    process.stdout.write(`The log is moved: ${after[destination]}. The former log stays as it is.\n`)
  } finally {
    progress.end()
    await database.stop()
  }
}, [EmbeddedPostgresError, CannotMove, StoreUnavailable])
