import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { measured } from './measured.ts'
import { FilesUnavailable, type StoredFile } from './port.ts'

/** Errors of a full or read-only disk. */
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

export const diskError = (error: unknown): unknown => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return storageCodes.has(code) ? new FilesUnavailable(`the disk failed: ${code}`, { cause: error }) : error
}

export interface Spooled extends StoredFile {
  path: string
}

export interface Spool {
  /** Writes durably; removes the file on failure. */
  write(content: Readable, maxBytes: number): Promise<Spooled>
}

/** Files of killed processes are deleted after this. */
const abandonedMs = 24 * 3600 * 1000

export const spool = (folder: string): Spool => {
  let isTidy = false

  const prepare = async () => {
    // The folder may be deleted meanwhile.
    await mkdir(folder, { recursive: true, mode: 0o700 })
    if (isTidy) return
    isTidy = true
    for (const name of await readdir(folder)) {
      const path = join(folder, name)
      // Another process may have removed it.
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
