import { PassThrough, Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'

interface EntryOptions {
  /** By default it is; pictures, films and sound are already. */
  compress?: boolean
}

/**
 * A ZIP file that is written while it is read: an entry is taken in no faster than `output` is read, and only the names of entries
 * stay in memory. Without `finish` the file has no end, and no program takes it for a whole one.
 */
export interface Archive {
  output: Readable
  /** Resolves once the content was taken in. Throws what the content throws, and where nobody reads `output` any more. */
  add(name: string, content: AsyncIterable<string | Buffer>, options?: EntryOptions): Promise<void>
  finish(): void
}

export const zipArchive = (madeAt: Date): Archive => {
  const zip = new ZipFile()
  const output = new PassThrough()
  zip.outputStream.pipe(output)
  // A fault within the ZIP itself ends the file before its end.
  zip.on('error', (error: Error) => output.destroy(error))
  // Whoever reads it hears of an error too; one that nobody listens to would end the process.
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
