import { createLog } from '@prosa/kernel/observability/log'
import { ConfigError } from '@prosa/kernel/process/config-error'
import { orExplain } from '@prosa/kernel/process/explain'
import { backUp } from './backup/back-up.ts'
import { BackupError } from './backup/backup-error.ts'
import { reachDatabase } from './backup/reach-database.ts'
import { backupConfig, storageOf } from './backup/settings.ts'
import { EmbeddedPostgresError } from './embedded-postgres/embedded-postgres-error.ts'

/** `npm run backup -- <folder>`, while Prosa runs or not. */
await orExplain(async () => {
  const [folder] = process.argv.slice(2)
  if (!folder) throw new ConfigError('npm run backup -- <folder that is empty or does not exist>')
  const config = backupConfig()
  const database = await reachDatabase(config, createLog(config.logLevel))
  try {
    const { log, tables, files, takenAt } = await backUp({ databaseUrl: database.url, ...storageOf(config) }, folder)
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    const ofFiles =
      files.kind === 's3' ? 'the files are in S3: copy the bucket now' : `${files.count} files (${files.total} bytes)`
    const ofLog =
      log.kind === 'postgres'
        ? `${log.events} events`
        : 'the log is in EventStoreDB: back it up before Prosa starts again'
    process.stdout.write(
      `${folder}: the state of ${takenAt}; ${tables.length} tables, ${rows} rows; ${ofLog}; ${ofFiles}.\n` +
        'Not in it: the master secret (PROSA_SECRET, or the file secret in the data folder). Keep it apart, and the journal of ' +
        `erasures too (${config.erasuresFile}), which goes on growing.\n`,
    )
  } finally {
    await database.stop()
  }
}, [BackupError, EmbeddedPostgresError])
