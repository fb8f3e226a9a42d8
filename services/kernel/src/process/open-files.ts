import { join, resolve } from 'node:path'
import { diskFileStore } from '../files/disk.ts'
import type { FileStore } from '../files/port.ts'
import { s3FileStore } from '../files/s3.ts'
import type { Config } from './config.ts'

export const openFiles = ({ dataDir, filesDir, s3 }: Pick<Config, 'dataDir' | 'filesDir' | 's3'>): FileStore => {
  const folder = resolve(filesDir ?? join(dataDir, 'files'))
  return s3 ? s3FileStore({ ...s3, spoolFolder: join(folder, '.outgoing') }) : diskFileStore(folder)
}
