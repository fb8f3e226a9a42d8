import type { Readable } from 'node:stream'

/** There is no file under this name. */
export class FileMissing extends Error {
  override name = 'FileMissing'
}

/** A file is larger than whoever stores it allows; nothing of it was kept. */
export class FileTooLarge extends Error {
  override name = 'FileTooLarge'
}

/** The storage is full, away, or does not let us in; nothing was kept, and trying again later may help. */
export class FilesUnavailable extends Error {
  override name = 'FilesUnavailable'
}

export interface StoredFile {
  bytes: number
  /** Hexadecimal. */
  sha256: string
}

export interface FileRange {
  /** First and last byte, both included; `from` lies within the file, what `to` has beyond its end is ignored. */
  from: number
  to: number
}

/**
 * Keeps files by name. Names are parts of lower-case letters, digits and hyphens, joined by '/'. A file is there whole or not at all, and
 * storing under a name that is taken replaces what was there. Everything throws `FilesUnavailable` while the storage is out of reach.
 */
export interface FileStore {
  /** Stores what the stream brings, and throws what the stream throws; throws `FileTooLarge` beyond `maxBytes`. */
  put(name: string, content: Readable, maxBytes: number): Promise<StoredFile>
  /** The whole file, or a part of it; `bytes` is the size of the whole. Throws `FileMissing`. */
  get(name: string, range?: FileRange): Promise<{ content: Readable; bytes: number }>
  /** Deletes every file whose name begins with `prefix`, which ends with '/'; none is fine. */
  deleteAll(prefix: string): Promise<void>
}
