import { join, resolve } from 'node:path'
import { diskFileStore } from '@prosa/kernel/files/disk'
import type { FileStore } from '@prosa/kernel/files/port'
import { s3FileStore } from '@prosa/kernel/files/s3'
import type { Config } from './config.ts'

/** Where files of messages are kept: a folder, or a storage that speaks S3's protocol. Nothing is touched before the first file. */
export const openFiles = ({ dataDir, filesDir, s3 }: Pick<Config, 'dataDir' | 'filesDir' | 's3'>): FileStore => {
  const folder = resolve(filesDir ?? join(dataDir, 'files'))
  return s3 ? s3FileStore({ ...s3, spoolFolder: join(folder, '.outgoing') }) : diskFileStore(folder)
}
