import { systemClock } from '@prosa/kernel/clock'
import { eventStoreDbEventStore } from '@prosa/kernel/event-store/eventstoredb'
import { findKnownLog } from '@prosa/kernel/event-store/identity/queries'
import { postgresEventStore } from '@prosa/kernel/event-store/postgres'
import { readMisplaced } from '@prosa/kernel/event-store/postgres/queries'
import { createLog } from '@prosa/kernel/observability/log'
import { readHeads } from '@prosa/kernel/operations/hash-chain/heads-file'
import { findBlocks } from '@prosa/kernel/operations/hash-chain/queries'
import { type Difference, type Fault, verifyLog } from '@prosa/kernel/operations/hash-chain/verify-log'
import { openPool } from '@prosa/kernel/postgres/pool'
import { ConfigError } from '@prosa/kernel/process/config-error'
import { orExplain } from '@prosa/kernel/process/explain'
import { openFiles } from '@prosa/kernel/process/open-files'
import { BackupError } from './backup/backup-error.ts'
import { reachDatabase } from './backup/reach-database.ts'
import { backupConfig } from './backup/settings.ts'
import { EmbeddedPostgresError } from './embedded-postgres/embedded-postgres-error.ts'

const maxNamed = 200

const sentenceOf = ({ kind, position, eventId, stream, block }: Difference) =>
  `${kind}: event ${eventId} at position ${position}${stream ? ` of ${stream}` : ''} (${block ? `block ${block}` : 'before the first block'})\n`

const explain: Record<Fault['kind'], string> = {
  broken: 'the row of this block was changed, or the one before it',
  'entries lost': 'its events differ from its digest, and its entries are lost: single events cannot be named',
  'other in heads file': 'the file of heads has another head: log and chain were made anew, or a backup was restored',
  missing: 'the database does not have them: rows were deleted, or an older backup was restored',
}
const faultOf = (fault: Fault) =>
  fault.kind === 'missing'
    ? `blocks ${fault.from} to ${fault.to}: ${explain.missing}\n`
    : `block ${fault.block}: ${explain[fault.kind]}\n`

/** `npm run verify-log`, while Prosa runs or not. Exit code 1: something of the past was changed. */
await orExplain(async () => {
  const config = backupConfig()
  const database = await reachDatabase(config, createLog(config.logLevel))
  const pool = openPool(database.url)
  const store = config.eventStoreUrl
    ? await eventStoreDbEventStore({ url: config.eventStoreUrl })
    : await postgresEventStore({ url: database.url })
  try {
    const known = await findKnownLog(pool)
    if (!known) throw new ConfigError('This database does not know its log yet: start this version of Prosa once.')
    const blocks = await findBlocks(pool, known.logId)
    const heads = await readHeads(config.headsFile, known.logId)
    if (blocks.length === 0 && heads.size === 0) {
      process.stdout.write(
        'No event is chained yet: Prosa does it once a day, for the first time minutes after its start.\n',
      )
      return
    }
    const { events, unchained, unwitnessed, differences, faults } = await verifyLog({
      store,
      files: openFiles(config),
      blocks,
      heads,
      ...(!config.eventStoreUrl && { misplaced: await readMisplaced(pool) }),
    })
    for (const difference of differences.slice(0, maxNamed)) process.stdout.write(sentenceOf(difference))
    if (differences.length > maxNamed) process.stdout.write(`and ${differences.length - maxNamed} more\n`)
    if (unwitnessed > 0)
      process.stdout.write(
        `${unwitnessed} blocks have no head in ${config.headsFile}: nothing but the database vouches for them\n`,
      )
    for (const fault of faults) process.stdout.write(faultOf(fault))
    const isSame = differences.length === 0 && faults.length === 0
    process.stdout.write(
      `${isSame ? 'The log is as it was' : 'THE LOG IS NOT AS IT WAS'} (${systemClock.now()}): ${events} events in ${blocks.length} blocks, heads in ` +
        `${config.headsFile}; ${unchained} later events are not chained yet.\n`,
    )
    if (!isSame) process.exitCode = 1
  } finally {
    await store.close()
    await pool.end()
    await database.stop()
  }
}, [BackupError, EmbeddedPostgresError])
