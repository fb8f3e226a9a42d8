import { createCipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getMediaKeys } from '@whiskeysockets/baileys'
import type { MediaKind } from '../accepted-type.ts'
import type { MediaSource } from '../media-address.ts'

export const encrypt = async (plain: Buffer, kind: MediaKind) => {
  const mediaKey = randomBytes(32)
  const { cipherKey, iv, macKey } = await getMediaKeys(mediaKey, kind)
  if (!macKey) throw new Error(`no key for the MAC of ${kind}`)
  const cipher = createCipheriv('aes-256-cbc', cipherKey, iv)
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  const mac = createHmac('sha256', macKey).update(iv).update(body).digest().subarray(0, 10)
  return {
    encrypted: Buffer.concat([body, mac]),
    mediaKey: mediaKey.toString('base64'),
    fileSha256: createHash('sha256').update(plain).digest('base64'),
  }
}

export const startMediaHost = async () => {
  const files = new Map<string, Buffer>()
  const state = {
    spoil: undefined as ((response: ServerResponse, file: Buffer) => void) | undefined,
    asked: 0,
    maxAtOnce: 0,
  }
  let atOnce = 0
  const server = createServer((request, response) => {
    state.asked += 1
    atOnce += 1
    state.maxAtOnce = Math.max(state.maxAtOnce, atOnce)
    response.once('close', () => {
      atOnce -= 1
    })
    const file = files.get(request.url ?? '')
    if (!file) return response.writeHead(404).end()
    if (state.spoil) return state.spoil(response, file)
    return response.writeHead(200, { 'content-length': file.length }).end(file)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return Object.assign(state, {
    origin,
    async keep(plain: Buffer, kind: MediaKind): Promise<MediaSource> {
      const { encrypted, mediaKey, fileSha256 } = await encrypt(plain, kind)
      const path = `/${randomBytes(8).toString('hex')}`
      files.set(path, encrypted)
      return { mediaKey, fileSha256, directPath: null, url: `${origin}${path}` }
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}
