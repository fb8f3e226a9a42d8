import { PassThrough, Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'

interface EntryOptions {
  /** Default true; images, video and audio are compressed already. */
  compress?: boolean
}

/** Streamed: follows the reader's speed, memory holds only names. Incomplete without `finish`. */
export interface Archive {
  output: Readable
  /** Resolves when read. Throws the content's errors, and when the reader is gone. */
  add(name: string, content: AsyncIterable<string | Buffer>, options?: EntryOptions): Promise<void>
  finish(): void
}

export const zipArchive = (madeAt: Date): Archive => {
  const zip = new ZipFile()
  const output = new PassThrough()
  zip.outputStream.pipe(output)
  // Truncates the file.
  zip.on('error', (error: Error) => output.destroy(error))
  // An unhandled error would end the process.
  output.on('error', () => undefined)
  return {
    output,
    async add(name, content, { compress = true } = {}) {
      if (output.destroyed) throw new Error('nobody reads the archive any more')
      const entry = Readable.from(content, { objectMode: false })
      const stop = () => entry.destroy(new Error('nobody reads the archive any more'))
      output.once('close', stop)
      try {
        zip.addReadStream(entry, name, { mtime: madeAt, compress })
        await finished(entry)
      } finally {
        output.off('close', stop)
      }
    },
    finish: () => zip.end(),
  }
}
