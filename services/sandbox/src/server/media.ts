/**
 * Downloads use plain HTTP, because Baileys uses `url` when a message has no `directPath`; uploads are hard-wired to https, on a port with
 * its own certificate.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { createServer as createHttp, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { getMediaKeys, type MediaType } from '@whiskeysockets/baileys'
import { type Certificate, selfSignedCertificate } from '../wire/self-signed-certificate.ts'
import { seconds } from '../wire/stanza.ts'
import { listenAgain } from './listen-again.ts'
import type { MediaFiles } from './media-files.ts'

const MAC_BYTES = 10
/** Slightly above WhatsApp's 100 MB for documents. */
const MAX_BYTES = 101 << 20

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

/** Ports of 127.0.0.1. Links contain the download port, so it must survive restarts. */
export interface MediaPorts {
  download: number
  upload: number
}

const sha256 = (data: Uint8Array) => createHash('sha256').update(data).digest()

async function secretsOf(mediaKey: Uint8Array, type: MediaType) {
  const { cipherKey, iv, macKey } = await getMediaKeys(mediaKey, type)
  if (!macKey) throw new Error(`no MAC key for ${type}`)
  const mac = (body: Uint8Array) => createHmac('sha256', macKey).update(iv).update(body).digest().subarray(0, MAC_BYTES)
  return { cipherKey, iv, mac }
}

export class MediaHost {
  readonly certificate: Certificate
  ports: MediaPorts = { download: 0, upload: 0 }
  readonly #files: MediaFiles
  /** Expired names, whose files phones still have. */
  readonly #expired = new Set<string>()
  #servers: Server[] = []

  constructor(files: MediaFiles, certificate: Certificate = selfSignedCertificate()) {
    this.#files = files
    this.certificate = certificate
  }

  async start() {
    const serve = (request: IncomingMessage, response: ServerResponse) => {
      this.#serve(request, response).catch((error: unknown) => response.destroy(error as Error))
    }
    const plain = createHttp(serve)
    const tls = createHttps(this.certificate, serve)
    this.#servers = [plain, tls]
    this.ports = {
      download: await listenAgain(plain, this.ports.download),
      upload: await listenAgain(tls, this.ports.upload),
    }
  }

  stop() {
    for (const server of this.#servers) {
      server.close()
      server.closeAllConnections()
    }
    this.#servers = []
  }

  get uploadHost() {
    return `127.0.0.1:${this.ports.upload}`
  }

  async store(file: Buffer): Promise<string> {
    if (!this.ports.download) throw new Error('the media host is not started')
    const name = randomBytes(12).toString('hex')
    await this.#files.put(name, file)
    return `http://127.0.0.1:${this.ports.download}/${name}`
  }

  /** As WhatsApp does after some weeks: 410. */
  expire(url: string) {
    this.#expired.add(new URL(url).pathname.slice(1))
  }

  /** Stores an expired file under a new path; undefined when there is none. */
  async storeAgain(url: string): Promise<string | undefined> {
    const file = await this.#files.get(new URL(url).pathname.slice(1))
    return file && new URL(await this.store(file)).pathname
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
      url: await this.store(file),
    }
  }

  /** Throws when it is unknown or was tampered with. */
  async decrypt({ url, mediaKey }: FileReference, type: MediaType): Promise<Buffer> {
    const file = url ? await this.#files.get(new URL(url).pathname.slice(1)) : undefined
    if (!file || !mediaKey) throw new Error(`no such file: ${url}`)
    const { cipherKey, iv, mac } = await secretsOf(mediaKey, type)
    const body = file.subarray(0, -MAC_BYTES)
    if (!mac(body).equals(file.subarray(-MAC_BYTES))) throw new Error('media MAC mismatch')
    const decipher = createDecipheriv('aes-256-cbc', cipherKey, iv)
    return Buffer.concat([decipher.update(body), decipher.final()])
  }

  async #serve(request: IncomingMessage, response: ServerResponse) {
    if (request.method === 'GET') {
      const name = (request.url ?? '').slice(1)
      if (this.#expired.has(name)) return response.writeHead(410).end()
      const file = await this.#files.get(name)
      return response.writeHead(file ? 200 : 404).end(file)
    }
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of request) {
      bytes += (chunk as Buffer).length
      if (bytes > MAX_BYTES) return response.writeHead(413).end()
      chunks.push(chunk as Buffer)
    }
    // No direct_path: with one, Baileys would insist on https for the download.
    const answer = JSON.stringify({ url: await this.store(Buffer.concat(chunks)) })
    return response.setHeader('content-type', 'application/json').end(answer)
  }
}
