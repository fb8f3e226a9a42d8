import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { measured } from './measured.ts'
import { FilesUnavailable, type StoredFile } from './port.ts'

/** Error codes of the system for a disk that is full or may not be written, rather than for a fault of ours. */
const storageCodes = new Set([
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EACCES',
  'EPERM',
  'EIO',
  'ENOTDIR',
  'EMFILE',
  'ENFILE',
  'ESTALE',
])

/** The same error, or `FilesUnavailable` where the disk is at fault. */
export const diskError = (error: unknown): unknown => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return storageCodes.has(code) ? new FilesUnavailable(`the disk failed: ${code}`, { cause: error }) : error
}

export interface Spooled extends StoredFile {
  path: string
}

export interface Spool {
  /** Writes the stream to a file of its own, durably; when it fails nothing of it is left. */
  write(content: Readable, maxBytes: number): Promise<Spooled>
}

/** What a process that was killed left behind is deleted after this. */
const abandonedMs = 24 * 3600 * 1000

/** Files in the making, in a folder that is made when it is first needed. */
export const spool = (folder: string): Spool => {
  let isTidy = false

  const prepare = async () => {
    // Somebody may clear it away while we run.
    await mkdir(folder, { recursive: true, mode: 0o700 })
    if (isTidy) return
    isTidy = true
    for (const name of await readdir(folder)) {
      const path = join(folder, name)
      // Another process may have finished it, or tidied, in between.
      const found = await stat(path).catch(() => undefined)
      if (found && Date.now() - found.mtimeMs > abandonedMs) await rm(path, { force: true })
    }
  }

  return {
    async write(content, maxBytes) {
      try {
        await prepare()
      } catch (error) {
        content.destroy()
        throw diskError(error)
      }
      const path = join(folder, randomUUID())
      const { through, result } = measured(maxBytes)
      try {
        await pipeline(content, through, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }))
        return { path, ...result() }
      } catch (error) {
        await rm(path, { force: true })
        throw diskError(error)
      }
    },
  }
}
