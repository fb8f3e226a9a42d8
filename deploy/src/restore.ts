import { parseArgs } from 'node:util'
import { createLog } from '@prosa/kernel/observability/log'
import { fileErasureJournal } from '@prosa/kernel/privacy/erasure-journal'
import { ConfigError } from '@prosa/kernel/process/config-error'
import { orExplain } from '@prosa/kernel/process/explain'
import { openFiles } from '@prosa/kernel/process/open-files'
import { openPorts } from '@prosa/product/process/open-ports'
import { readSide } from '@prosa/projections/read-side'
import { allServices } from './all-services.ts'
import { BackupError } from './backup/backup-error.ts'
import { type RestoreTarget, restore, restoreErasures } from './backup/restore.ts'
import { backupConfig, storageOf } from './backup/settings.ts'
import { EmbeddedPostgresError } from './embedded-postgres/embedded-postgres-error.ts'
import { openDatabase } from './local-database.ts'
import { masterSecret } from './master-secret.ts'

const usage =
  'npm run restore -- <backup> [--erasures <file>]… [--without-erasures], into an empty installation; or ' +
  '-- --erasures-only [--erasures <file>]…, after the database was restored by other means'

await orExplain(async () => {
  const { values, positionals } = parseArgs({
    options: {
      erasures: { type: 'string', multiple: true },
      'without-erasures': { type: 'boolean' },
      'erasures-only': { type: 'boolean' },
    },
    allowPositionals: true,
  })
  const [folder] = positionals
  if ((folder === undefined) !== (values['erasures-only'] === true)) throw new ConfigError(usage)
  const config = backupConfig()
  const log = createLog(config.logLevel)
  const secret = await masterSecret(config.secret, config.dataDir)
  const database = await openDatabase(config, log)
  const storage = storageOf(config)
  const target: RestoreTarget = {
    databaseUrl: database.url,
    secrets: [secret, ...config.oldSecrets.map((old) => Buffer.from(old, 'hex'))],
    ...storage,
    async withPorts(work) {
      const ports = await openPorts({
        databaseUrl: database.url,
        masterSecret: secret,
        log,
        readSide,
        services: allServices(config),
        earlierSecrets: config.oldSecrets,
        eventStoreUrl: config.eventStoreUrl,
        files: openFiles(config),
        erasures: fileErasureJournal(storage.erasuresFile),
      })
      try {
        return await work(ports)
      } finally {
        await ports.store.close()
        await ports.close()
      }
    },
  }
  const options = { erasures: values.erasures, withoutErasures: values['without-erasures'] }
  try {
    if (folder === undefined) {
      const erased = await restoreErasures(target, options)
      process.stdout.write(`${erased} erasures were recorded again; read models and files follow when Prosa starts.\n`)
      return
    }
    const { manifest, files, erased } = await restore(target, folder, options)
    process.stdout.write(
      `The state of ${manifest.takenAt} is back: ${manifest.tables.length} tables, ${files} files; ${erased} later erasures ` +
        'were recorded again; read models and files follow when Prosa starts.\n',
    )
  } finally {
    await database.stop()
  }
}, [BackupError, EmbeddedPostgresError])
