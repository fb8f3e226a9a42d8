import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { requireFileName, requireFilePrefix } from './file-name.ts'
import { FileMissing, type FileStore } from './port.ts'
import { diskError, spool } from './spool.ts'

const isMissing = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')

/** A new name survives a power cut only once its folder is flushed. A missing folder needs no flush. */
const flushFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r').catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })
  try {
    await folder?.sync()
  } finally {
    await folder?.close()
  }
}

/** Stores atomically: writes a temporary file, flushes, renames. Processes may share the folder. */
export const diskFileStore = (folder: string): FileStore => {
  const incoming = spool(join(folder, '.incoming'))

  /** Recreates a folder that is deleted concurrently. */
  const moveInto = async (from: string, to: string) => {
    for (let attempt = 0; ; attempt++) {
      await mkdir(dirname(to), { recursive: true, mode: 0o700 })
      try {
        await rename(from, to)
        break
      } catch (error) {
        if (!isMissing(error) || attempt === 3) throw error
      }
    }
    for (let path = dirname(to); path.startsWith(folder); path = dirname(path)) await flushFolder(path)
  }

  return {
    async put(name, content, maxBytes) {
      requireFileName(name)
      const { path, ...stored } = await incoming.write(content, maxBytes)
      try {
        await moveInto(path, join(folder, name))
      } catch (error) {
        await rm(path, { force: true })
        throw diskError(error)
      }
      return stored
    },

    async get(name, range) {
      requireFileName(name)
      try {
        const file = await open(join(folder, name), 'r')
        const found = await file.stat()
        if (!found.isFile()) {
          await file.close()
          throw new FileMissing(name)
        }
        const part = range && { start: range.from, end: Math.max(range.from, range.to) }
        return { content: file.createReadStream(part), bytes: found.size }
      } catch (error) {
        if (isMissing(error)) throw new FileMissing(name, { cause: error })
        throw diskError(error)
      }
    },

    async deleteAll(prefix) {
      requireFilePrefix(prefix)
      try {
        await rm(join(folder, prefix), { recursive: true, force: true, maxRetries: 3 })
      } catch (error) {
        // A file has the folder's name: no file has this prefix.
        if (!isMissing(error)) throw diskError(error)
      }
    },
  }
}
