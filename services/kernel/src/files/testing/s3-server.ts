import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

const region = 'sa-east-1'
const bucket = 'prosa-files'
const accessKeyId = 'AKIDTEST'
const secretAccessKey = 'a secret/of+the=test'
const pageSize = 3
const maxSkewMs = 15 * 60_000

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest('hex')
const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest()
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** AWS signature version 4. */
const signatureOf = (request: IncomingMessage, url: URL, signedHeaders: string, secret: string): string => {
  const date = String(request.headers['x-amz-date'])
  const scope = `${date.slice(0, 8)}/${region}/s3/aws4_request`
  const query = [...url.searchParams].map(([key, value]) => `${encode(key)}=${encode(value)}`)
  const canonical = [
    request.method,
    url.pathname
      .split('/')
      .map((part) => encode(decodeURIComponent(part)))
      .join('/'),
    query.sort().join('&'),
    ...signedHeaders.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}`),
    '',
    signedHeaders,
    request.headers['x-amz-content-sha256'],
  ].join('\n')
  const text = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')
  const key = [date.slice(0, 8), region, 's3', 'aws4_request'].reduce<Buffer | string>(hmac, `AWS4${secret}`)
  return hmac(key as Buffer, text).toString('hex')
}

const dateOf = (text: string) =>
  Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))

/** Lists have three names a page. */
export const startS3Server = async () => {
  const files = new Map<string, Buffer>()
  const state = {
    trouble: undefined as { status: number; code: string } | undefined,
    silent: false,
    stallsAfter: undefined as number | undefined,
    requests: [] as string[],
  }

  const refusalOf = (request: IncomingMessage, url: URL): string | undefined => {
    const found = /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? '',
    )
    if (!found) return 'AccessDenied'
    const [, credential = '', signedHeaders = '', signature] = found
    const date = String(request.headers['x-amz-date'])
    if (credential !== `${accessKeyId}/${date.slice(0, 8)}/${region}/s3/aws4_request`) return 'InvalidAccessKeyId'
    if (!(Math.abs(dateOf(date) - Date.now()) < maxSkewMs)) return 'RequestTimeTooSkewed'
    for (const needed of ['host', 'x-amz-content-sha256', 'x-amz-date'])
      if (!signedHeaders.split(';').includes(needed)) return 'AccessDenied'
    return signatureOf(request, url, signedHeaders, secretAccessKey) === signature ? undefined : 'SignatureDoesNotMatch'
  }

  const fail = (response: ServerResponse, status: number, code: string) =>
    response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`)

  const list = (response: ServerResponse, { searchParams }: URL) => {
    const after = Buffer.from(searchParams.get('continuation-token') ?? '', 'base64').toString()
    const all = [...files.keys()].filter((name) => name.startsWith(searchParams.get('prefix') ?? '')).sort()
    const rest = all.filter((name) => name > after)
    const page = rest.slice(0, pageSize)
    const token = Buffer.from(page.at(-1) ?? '').toString('base64')
    const more = rest.length > pageSize
    response
      .writeHead(200)
      .end(
        `<?xml version="1.0"?><ListBucketResult><IsTruncated>${more}</IsTruncated>${page
          .map((name) => `<Contents><Key>${name}</Key></Contents>`)
          .join('')}${more ? `<NextContinuationToken>${token}</NextContinuationToken>` : ''}</ListBucketResult>`,
      )
  }

  const get = (request: IncomingMessage, response: ServerResponse, name: string) => {
    const file = files.get(name)
    if (!file) return fail(response, 404, 'NoSuchKey')
    if (state.stallsAfter !== undefined)
      return response.writeHead(200, { 'content-length': file.length }).write(file.subarray(0, state.stallsAfter))
    const asked = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
    if (!asked) return response.writeHead(200, { 'content-length': file.length }).end(file)
    const [from, to] = [Number(asked[1]), Math.min(Number(asked[2]), file.length - 1)]
    if (from > to) return fail(response, 416, 'InvalidRange')
    const part = file.subarray(from, to + 1)
    const headers = { 'content-length': part.length, 'content-range': `bytes ${from}-${to}/${file.length}` }
    return response.writeHead(206, headers).end(part)
  }

  const put = async (request: IncomingMessage, response: ServerResponse, name: string) => {
    if (request.headers['content-length'] === undefined) return fail(response, 411, 'MissingContentLength')
    const content = await buffer(request)
    if (sha256(content) !== request.headers['x-amz-content-sha256'])
      return fail(response, 400, 'XAmzContentSHA256Mismatch')
    files.set(name, content)
    return response.writeHead(200).end()
  }

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '', `http://${request.headers.host}`)
    state.requests.push(`${request.method} ${url.pathname}`)
    if (state.silent) return
    if (state.trouble) return fail(response, state.trouble.status, state.trouble.code)
    const refusal = refusalOf(request, url)
    if (refusal) return fail(response, 403, refusal)
    const [, container, ...parts] = url.pathname.split('/')
    if (container !== bucket) return fail(response, 404, 'NoSuchBucket')
    const name = parts.join('/')
    if (request.method === 'GET') return name === '' ? list(response, url) : get(request, response, name)
    if (request.method === 'PUT') return put(request, response, name)
    if (request.method !== 'DELETE') return fail(response, 405, 'MethodNotAllowed')
    files.delete(name)
    return response.writeHead(204).end()
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return Object.assign(state, {
    files,
    address: { endpoint, region, bucket, accessKeyId, secretAccessKey },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}
