import type { Readable } from 'node:stream'

export class FileMissing extends Error {
  override name = 'FileMissing'
}

/** Nothing is stored. */
export class FileTooLarge extends Error {
  override name = 'FileTooLarge'
}

/** Full, unreachable or denied; nothing is stored, and a retry may help. */
export class FilesUnavailable extends Error {
  override name = 'FilesUnavailable'
}

export interface StoredFile {
  bytes: number
  /** Hexadecimal. */
  sha256: string
}

export interface FileRange {
  /** Both inclusive; `from` lies within the file, `to` may exceed it. */
  from: number
  to: number
}

/**
 * Names are parts of lower-case letters, digits and hyphens, joined by '/'. Writes are atomic and replace. All methods throw
 * `FilesUnavailable` during an outage.
 */
export interface FileStore {
  /** Throws `FileTooLarge`, and the stream's errors. */
  put(name: string, content: Readable, maxBytes: number): Promise<StoredFile>
  /** `bytes`: of the whole file. Throws `FileMissing`. */
  get(name: string, range?: FileRange): Promise<{ content: Readable; bytes: number }>
  /** `prefix` ends with '/'. */
  deleteAll(prefix: string): Promise<void>
}
