import { join, resolve } from 'node:path'
import { endOfEventStoreDb } from '@prosa/kernel/event-store/eventstoredb/end-of-log'
import { type Config, readConfig } from '@prosa/product/process/config'

/** As the product reads it. In production a secret must be set, else it is in the data folder. */
export const backupConfig = (): Config =>
  readConfig(process.env.NODE_ENV === 'production' ? 'production' : 'development')

/** What a backup copies and a restore fills. */
export const storageOf = ({ s3, filesDir, dataDir, erasuresFile, restoringFile, eventStoreUrl }: Config) => ({
  filesFolder: s3 ? undefined : resolve(filesDir ?? join(dataDir, 'files')),
  erasuresFile: resolve(erasuresFile),
  restoringFile: resolve(restoringFile),
  ...(eventStoreUrl && { externalLog: () => endOfEventStoreDb(eventStoreUrl) }),
})
