import { resolve } from 'node:path'
import { StoreUnavailable } from '@prosa/kernel/async/reachability'
import { progressBar, type Terminal } from '@prosa/kernel/consumers/projections/rebuild/show-progress'
import { CannotMove } from '@prosa/kernel/event-store/move/cannot-move'
import type { OnProgress } from '@prosa/kernel/event-store/move/move-log'
import { createLog } from '@prosa/kernel/observability/log'
import { orExplain } from '@prosa/kernel/process/explain'
import { readDataConfig } from '@prosa/product/process/config'
import { EmbeddedPostgresError } from './embedded-postgres/embedded-postgres-error.ts'
import { openDatabase } from './local-database.ts'
import { type Destination, destinationOf, moveConfiguredLog } from './move-configured-log.ts'

const barMs = 200
const lineMs = 5000
const clearLine = '\r\u001b[K'

/** One redrawn line in a terminal, else a line every 5 seconds. */
const terminalProgress = (terminal: Terminal): { show: OnProgress; end: () => void } => {
  let shownAt = Number.NEGATIVE_INFINITY
  let isDrawn = false
  return {
    show(phase, done, total) {
      const now = performance.now()
      if (now - shownAt < (terminal.isTTY ? barMs : lineMs)) return
      shownAt = now
      const bar = progressBar(phase, { done, total })
      terminal.write(terminal.isTTY ? clearLine + bar.slice(0, (terminal.columns ?? 80) - 1) : `${bar}\n`)
      isDrawn = terminal.isTTY === true
    },
    end() {
      if (isDrawn) terminal.write(clearLine)
      isDrawn = false
    },
  }
}

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
