import type { Logger } from '@prosa/kernel/observability/log'
import { fileErasureJournal } from '@prosa/kernel/privacy/erasure-journal'
import { openFiles } from '@prosa/kernel/process/open-files'
import type { Service } from '@prosa/product/ports'
import type { Config } from '@prosa/product/process/config'
import { type OpenPorts, openPorts } from '@prosa/product/process/open-ports'
import { refuseUnfinishedRestore } from '@prosa/product/process/unfinished-restore'
import { readSide } from '@prosa/projections/read-side'
import type { Database } from './local-database.ts'
import { masterSecret } from './master-secret.ts'

export const configuredPorts = async (
  config: Config,
  services: readonly Service[],
  database: Database,
  log: Logger,
): Promise<OpenPorts> => {
  refuseUnfinishedRestore(config.restoringFile)
  return openPorts({
    databaseUrl: database.url,
    masterSecret: await masterSecret(config.secret, config.dataDir),
    log,
    readSide,
    services,
    earlierSecrets: config.oldSecrets,
    eventStoreUrl: config.eventStoreUrl,
    redisUrl: config.redisUrl,
    files: openFiles(config),
    erasures: fileErasureJournal(config.erasuresFile),
    budgets: config.budgets,
    planRules: config.planRules,
    sendingNeedsConfirmedEmail: config.sendingNeedsConfirmedEmail,
  })
}
