import { buffer } from 'node:stream/consumers'
import { type Entry, fromBufferPromise } from 'yauzl'

/** Throws on an incomplete ZIP. */
export const unzip = async (bytes: Buffer): Promise<Map<string, Buffer>> => {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true, autoClose: false })
  const files = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry() as AsyncIterable<Entry>)
    files.set(String(entry.fileName), await buffer(await zip.openReadStreamPromise(entry)))
  return files
}
