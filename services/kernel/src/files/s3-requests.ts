import { type IncomingMessage, request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AwsV4Signer } from 'aws4fetch'
import { FilesUnavailable } from './port.ts'

export interface S3Address {
  /** `https://s3.sa-east-1.amazonaws.com`, without the bucket. */
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  /** Longest pause of the storage, in milliseconds. */
  silence?: number
}

export interface S3Request {
  query?: Record<string, string>
  range?: string | undefined
  body?: { content: Readable; bytes: number; sha256: string }
}

/** The body must be read or destroyed. Throws `FilesUnavailable` without a reply. */
export type SendS3 = (method: 'GET' | 'PUT' | 'DELETE', name: string, request?: S3Request) => Promise<IncomingMessage>

const silenceMs = 30_000
/** SHA-256 of nothing. */
const emptyBody = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

const away = (error: unknown) => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no reply'
  return new FilesUnavailable(`the storage is out of reach: ${code}`, { cause: error })
}

/** Does not count pauses by our own backpressure as silence. */
const countNoRest = (reply: IncomingMessage, silence: number) => {
  const { socket } = reply
  const rest = () => socket.setTimeout(0)
  const readOn = () => socket.setTimeout(silence)
  socket.on('pause', rest).on('resume', readOn)
  // The socket is reused.
  reply.once('close', () => socket.off('pause', rest).off('resume', readOn))
}

export const s3Requests = ({
  endpoint,
  region,
  bucket,
  accessKeyId,
  secretAccessKey,
  silence = silenceMs,
}: S3Address): SendS3 => {
  const base = `${endpoint.replace(/\/{1,9}$/, '')}/${bucket}`

  const signed = async (method: string, url: URL, { range, body }: S3Request) => {
    const headers = { 'x-amz-content-sha256': body?.sha256 ?? emptyBody, ...(range && { range }) }
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers,
      accessKeyId,
      secretAccessKey,
      region,
      service: 's3',
    })
    return Object.fromEntries((await signer.sign()).headers)
  }

  return async (method, name, request = {}) => {
    const { query, body } = request
    const url = new URL(name === '' ? base : `${base}/${name}`)
    for (const [key, value] of Object.entries(query ?? {})) url.searchParams.set(key, value)
    const headers = { ...(await signed(method, url, request)), ...(body && { 'content-length': body.bytes }) }
    const sending = (url.protocol === 'https:' ? tlsRequest : plainRequest)(url, { method, headers })
    let reply: IncomingMessage | undefined
    sending.setTimeout(silence, () => {
      if (!reply?.complete) (reply ?? sending).destroy(new FilesUnavailable('the storage fell silent'))
    })
    sending.once('response', (begun) => {
      reply = begun
      countNoRest(begun, silence)
    })
    const replied = new Promise<IncomingMessage>((resolve, reject) => {
      sending.once('response', resolve)
      sending.once('error', reject)
    })
    // The storage may refuse before the upload ends: its reply counts.
    const sent = body ? pipeline(body.content, sending) : Promise.resolve(sending.end())
    sent.catch(() => undefined)
    try {
      return await replied
    } catch (error) {
      throw error instanceof FilesUnavailable ? error : away(error)
    }
  }
}
