import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { concurrencyLimit } from '../async/concurrency-limit.ts'
import { requireFileName, requireFilePrefix } from './file-name.ts'
import { FileMissing, type FileStore, FilesUnavailable } from './port.ts'
import { type S3Address, s3Requests } from './s3-requests.ts'
import { spool } from './spool.ts'

export interface S3Options extends S3Address {
  /** Size and hash must be known before an upload. */
  spoolFolder: string
}

const atOnce = 8
const maxAnswerBytes = 16 * 1024 * 1024

const textOf = async (reply: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of reply) {
    bytes += (chunk as Buffer).length
    if (bytes > maxAnswerBytes) throw new FilesUnavailable('the storage answers without end')
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString()
}

/** Reads only the error code: the document may quote names and keys. */
const refused = async (what: string, reply: IncomingMessage): Promise<Error> => {
  const code = /<Code>(\w{1,60})<\/Code>/.exec(await textOf(reply))?.[1]
  return new FilesUnavailable(`${what}: the storage answered ${reply.statusCode}${code ? ` ${code}` : ''}`)
}

const decoded = (text: string) => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&')

/** `bytes 0-9/2000` → 2000 */
const wholeSize = ({ statusCode, headers }: IncomingMessage): number =>
  Number(statusCode === 206 ? headers['content-range']?.split('/')[1] : headers['content-length'])

/** Any S3 storage (AWS, R2, MinIO, Garage …), by path-style addresses. */
export const s3FileStore = ({ spoolFolder, ...address }: S3Options): FileStore => {
  const send = s3Requests(address)
  const outgoing = spool(spoolFolder)

  const namesUnder = async (prefix: string): Promise<string[]> => {
    const names: string[] = []
    let next: string | undefined
    do {
      const query = { 'list-type': '2', prefix, ...(next !== undefined && { 'continuation-token': next }) }
      const reply = await send('GET', '', { query })
      if (reply.statusCode !== 200) throw await refused('list', reply)
      const page = await textOf(reply)
      for (const [, key = ''] of page.matchAll(/<Key>([^<]+)<\/Key>/g)) names.push(decoded(key))
      const token = page.split('<NextContinuationToken>', 2)[1]?.split('<', 1)[0]
      next = token ? decoded(token) : undefined
    } while (next !== undefined)
    return names
  }

  const remove = async (name: string) => {
    const reply = await send('DELETE', name)
    if (![200, 204, 404].includes(reply.statusCode ?? 0)) throw await refused('delete', reply)
    reply.resume()
  }

  return {
    async put(name, content, maxBytes) {
      requireFileName(name)
      const { path, bytes, sha256 } = await outgoing.write(content, maxBytes)
      try {
        const reply = await send('PUT', name, { body: { content: createReadStream(path), bytes, sha256 } })
        if (reply.statusCode !== 200) throw await refused('put', reply)
        reply.resume()
        return { bytes, sha256 }
      } finally {
        await rm(path, { force: true })
      }
    },

    async get(name, range) {
      requireFileName(name)
      const reply = await send('GET', name, { range: range && `bytes=${range.from}-${range.to}` })
      if (reply.statusCode === 404) {
        const why = await refused('get', reply)
        throw /NoSuchBucket/.test(why.message) ? why : new FileMissing(name)
      }
      if (reply.statusCode !== (range ? 206 : 200)) throw await refused('get', reply)
      const bytes = wholeSize(reply)
      if (!Number.isSafeInteger(bytes)) {
        reply.destroy()
        throw new FilesUnavailable('get: the storage does not state the size of the file')
      }
      return { content: reply, bytes }
    },

    async deleteAll(prefix) {
      requireFilePrefix(prefix)
      const limit = concurrencyLimit({ atOnce })
      await Promise.all((await namesUnder(prefix)).map((name) => limit.run(() => remove(name))))
    },
  }
}
