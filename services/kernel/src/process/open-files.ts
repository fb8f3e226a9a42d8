import { join, resolve } from 'node:path'
import { diskFileStore } from '../files/disk.ts'
import type { FileStore } from '../files/port.ts'
import { s3FileStore } from '../files/s3.ts'
import type { S3Address } from '../files/s3-requests.ts'

interface FileSettings {
  dataDir: string
  filesDir: string | undefined
  s3: S3Address | undefined
}

export const openFiles = ({ dataDir, filesDir, s3 }: FileSettings): FileStore => {
  const folder = resolve(filesDir ?? join(dataDir, 'files'))
  return s3 ? s3FileStore({ ...s3, spoolFolder: join(folder, '.outgoing') }) : diskFileStore(folder)
}
