import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { requireFileName, requireFilePrefix } from './file-name.ts'
import { measured } from './measured.ts'
import { FileMissing, type FileStore } from './port.ts'

/** For tests. */
export const memoryFileStore = (): FileStore => {
  const files = new Map<string, Buffer>()
  return {
    async put(name, content, maxBytes) {
      requireFileName(name)
      const { through, result } = measured(maxBytes)
      const chunks: Buffer[] = []
      const keep = new Writable({
        write(chunk: Buffer, _, done) {
          chunks.push(chunk)
          done()
        },
      })
      await pipeline(content, through, keep)
      files.set(name, Buffer.concat(chunks))
      return result()
    },
    async get(name, range) {
      requireFileName(name)
      const file = files.get(name)
      if (!file) throw new FileMissing(name)
      const part = range ? file.subarray(range.from, range.to + 1) : file
      return { content: Readable.from(part.length > 0 ? [part] : []), bytes: file.length }
    },
    async deleteAll(prefix) {
      requireFilePrefix(prefix)
      for (const name of files.keys()) if (name.startsWith(prefix)) files.delete(name)
    },
  }
}
