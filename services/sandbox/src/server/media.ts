/**
 * Encrypted media, stored in memory. Downloads work over plain HTTP because Baileys uses `url` when a
 * message has no `directPath`; uploads are hard-wired to https, so they need a certificate.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttp, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getMediaKeys, type MediaType } from '@whiskeysockets/baileys'
import { seconds } from '../wire/stanza.ts'

const MAC_BYTES = 10

export interface Certificate {
  key: string
  cert: string
}

export interface EncryptedFile {
  mediaKey: Uint8Array
  fileSha256: Uint8Array
  fileEncSha256: Uint8Array
  fileLength: number
  mediaKeyTimestamp: number
  url: string
}

export interface FileReference {
  url?: string | null
  mediaKey?: Uint8Array | null
}

const sha256 = (data: Uint8Array) => createHash('sha256').update(data).digest()
const portOf = (server: Server) => (server.address() as AddressInfo).port

async function secretsOf(mediaKey: Uint8Array, type: MediaType) {
  const { cipherKey, iv, macKey } = await getMediaKeys(mediaKey, type)
  if (!macKey) throw new Error(`no MAC key for ${type}`)
  const mac = (body: Uint8Array) => createHmac('sha256', macKey).update(iv).update(body).digest().subarray(0, MAC_BYTES)
  return { cipherKey, iv, mac }
}

async function listen(server: Server) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

export class MediaHost {
  readonly #files = new Map<string, Buffer>()
  readonly #certificate?: Certificate
  #plain?: Server
  #tls?: Server

  constructor(certificate?: Certificate) {
    this.#certificate = certificate
  }

  async start() {
    const serve = (request: IncomingMessage, response: ServerResponse) => this.#serve(request, response)
    this.#plain = await listen(createHttp(serve))
    if (this.#certificate) this.#tls = await listen(createHttps(this.#certificate, serve))
  }

  stop() {
    for (const server of [this.#plain, this.#tls]) {
      server?.close()
      server?.closeAllConnections()
    }
  }

  /** Host and port for <media_conn>; without a certificate clients cannot upload. */
  get uploadHost() {
    return this.#tls && `127.0.0.1:${portOf(this.#tls)}`
  }

  /** Keeps an encrypted file until the process ends and returns where it can be fetched. */
  store(file: Buffer): string {
    if (!this.#plain) throw new Error('the media host is not started')
    const name = randomBytes(12).toString('hex')
    this.#files.set(name, file)
    return `http://127.0.0.1:${portOf(this.#plain)}/${name}`
  }

  async encrypt(plain: Buffer, type: MediaType): Promise<EncryptedFile> {
    const mediaKey = randomBytes(32)
    const { cipherKey, iv, mac } = await secretsOf(mediaKey, type)
    const cipher = createCipheriv('aes-256-cbc', cipherKey, iv)
    const body = Buffer.concat([cipher.update(plain), cipher.final()])
    const file = Buffer.concat([body, mac(body)])
    return {
      mediaKey,
      fileSha256: sha256(plain),
      fileEncSha256: sha256(file),
      fileLength: plain.length,
      mediaKeyTimestamp: seconds(),
      url: this.store(file),
    }
  }

  /** The content of a stored file; throws when it is unknown or was tampered with. */
  async decrypt({ url, mediaKey }: FileReference, type: MediaType): Promise<Buffer> {
    const file = url ? this.#files.get(new URL(url).pathname.slice(1)) : undefined
    if (!file || !mediaKey) throw new Error(`no such file: ${url}`)
    const { cipherKey, iv, mac } = await secretsOf(mediaKey, type)
    const body = file.subarray(0, -MAC_BYTES)
    if (!mac(body).equals(file.subarray(-MAC_BYTES))) throw new Error('media MAC mismatch')
    const decipher = createDecipheriv('aes-256-cbc', cipherKey, iv)
    return Buffer.concat([decipher.update(body), decipher.final()])
  }

  #serve(request: IncomingMessage, response: ServerResponse) {
    if (request.method === 'GET') {
      const file = this.#files.get((request.url ?? '').slice(1))
      response.writeHead(file ? 200 : 404).end(file)
      return
    }
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      // No direct_path in the answer: with one, Baileys would insist on https for the download.
      const answer = JSON.stringify({ url: this.store(Buffer.concat(chunks)) })
      response.setHeader('content-type', 'application/json').end(answer)
    })
  }
}
