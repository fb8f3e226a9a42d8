import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '@prosa/kernel/process/config-error'

/** Holds the id of the backup that is being restored. */
export const markerOf = (dataDir: string) => join(dataDir, 'restoring')

/** Between the database and the erasures nothing may start: erased people would be shown. */
export const refuseUnfinishedRestore = (dataDir: string): void => {
  if (existsSync(markerOf(dataDir)))
    throw new ConfigError(
      `A restore into ${dataDir} was broken off. Run npm run restore with the same backup again; it goes on where it was.`,
    )
}
