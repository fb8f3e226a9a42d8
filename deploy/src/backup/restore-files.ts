import { join } from 'node:path'
import { requireFileName } from '@prosa/kernel/files/file-name'
import type { Client } from 'pg'
import { copyFile } from './back-up-files.ts'
import { paths, readFileList } from './manifest.ts'

const media = /^[^/]+\/([^/]+)\/content$/
const photo = /^photos\/([^/]+)\/([^/]+)\/[^/]+$/

/** Stored after the snapshot, so that nothing would ever erase it. */
const isUnknown = async (db: Client, name: string): Promise<boolean> => {
  const [, mediaId] = media.exec(name) ?? []
  const [, userId, photoId] = photo.exec(name) ?? []
  if (mediaId === undefined && userId === undefined) return false
  const { rowCount } = mediaId
    ? await db.query('select from es.event where stream = $1 limit 1', [`media-${mediaId}`])
    : await db.query(`select from es.event where stream = $1 and data::jsonb ->> 'photoId' = $2 limit 1`, [
        `user-${userId}`,
        photoId,
      ])
  return rowCount === 0
}

/** `hasLog`: the log is in this database. Returns how many files came back. */
export const restoreFiles = async (db: Client, folder: string, target: string, hasLog: boolean): Promise<number> => {
  let restored = 0
  for (const { name } of await readFileList(folder)) {
    requireFileName(name)
    if (hasLog && (await isUnknown(db, name))) continue
    if (!(await copyFile(join(paths(folder).files, name), join(target, name))))
      throw new Error(`a file of the backup disappeared: ${name}`)
    restored++
  }
  return restored
}
