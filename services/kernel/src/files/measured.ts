import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import { FileTooLarge, type StoredFile } from './port.ts'

/** Counts and hashes; fails with `FileTooLarge` beyond `maxBytes`. */
export const measured = (maxBytes: number): { through: Transform; result: () => StoredFile } => {
  const hash = createHash('sha256')
  let bytes = 0
  const through = new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length
      if (bytes > maxBytes) return done(new FileTooLarge(`more than ${maxBytes} bytes`))
      hash.update(chunk)
      done(null, chunk)
    },
  })
  return { through, result: () => ({ bytes, sha256: hash.digest('hex') }) }
}
