import { Agent } from 'node:https'
import { downloadMediaMessage } from '@whiskeysockets/baileys'
import { expect, test } from 'vitest'
import { nextUpsert, pair, world } from '../testing/harness.ts'
import { selfSignedCertificate } from '../wire/self-signed-certificate.ts'

const ONE_PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const png = Buffer.from(ONE_PIXEL, 'base64')

test('receives an image over plain loopback HTTP', async () => {
  const { primary, ana, shop } = await world()
  await pair(shop, primary)
  const received = nextUpsert(shop)
  await ana.sendMedia(primary.number, 'image', png, { mimetype: 'image/png', caption: 'o cardápio' })
  const { message } = await received
  expect(message.message?.imageMessage?.caption).toBe('o cardápio')
  expect(await downloadMediaMessage(message, 'buffer', {})).toEqual(png)
})

test('sends an image and a document through the TLS upload host', async () => {
  const certificate = selfSignedCertificate()
  const { primary, ana, shop } = await world({ certificate }, { fetchAgent: new Agent({ ca: certificate.cert }) })
  await pair(shop, primary)
  const image = ana.nextMessage()
  await shop.socket.sendMessage(ana.account.jid(), { image: png, caption: 'foto' })
  const received = await image
  expect(received.text).toBe('foto')
  expect(await ana.download(received.message)).toEqual(png)
  const file = ana.nextMessage()
  const document = Buffer.from('total: 12,50')
  await shop.socket.sendMessage(ana.account.jid(), { document, mimetype: 'text/plain', fileName: 'conta.txt' })
  expect(await ana.download((await file).message)).toEqual(document)
})

test('a file that WhatsApp forgot is stored again by the phone that a client asks, as long as that still has it', async () => {
  const { server, primary, ana, shop } = await world()
  await pair(shop, primary)
  const received = nextUpsert(shop)
  const onThePhone = primary.nextMessage()
  await ana.sendMedia(primary.number, 'image', png, { mimetype: 'image/png' })
  const { message } = await received
  await onThePhone
  const url = message.message?.imageMessage?.url ?? ''
  server.media.expire(url)
  expect((await fetch(url)).status).toBe(410)

  const { directPath } = (await shop.socket.updateMediaMessage(message)).message?.imageMessage ?? {}
  const again = { ...message.message?.imageMessage, url: new URL(directPath ?? '', url).href }
  expect(await server.media.decrypt(again, 'image')).toEqual(png)
  expect((await fetch(again.url)).status).toBe(200)

  primary.deleteFiles()
  const refused = { output: { statusCode: 404 } }
  await expect(shop.socket.updateMediaMessage(message)).rejects.toMatchObject(refused)
})
