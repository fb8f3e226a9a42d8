import { existsSync } from 'node:fs'
import { ConfigError } from '@prosa/kernel/process/config-error'

/** Between the database and the erasures nothing may start: erased people would be shown. `file` holds the id of the backup that is being restored. */
export const refuseUnfinishedRestore = (file: string): void => {
  if (existsSync(file))
    throw new ConfigError(
      `A restore was broken off (${file}). Run npm run restore with the same backup again; it goes on where it was.`,
    )
}
