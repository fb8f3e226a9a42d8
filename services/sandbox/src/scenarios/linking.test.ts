import { once } from 'node:events'
import { Curve } from '@whiskeysockets/baileys'
import { expect, onTestFinished, test } from 'vitest'
import { nextUpsert, pair, world } from '../testing/harness.ts'
import { until } from '../testing/until.ts'
import { trustRoot } from '../wire/trust.ts'

test('pairs by QR, restarts after 515 and opens', async () => {
  const { server, primary, shop } = await world({ fewPreKeys: false })
  const device = await pair(shop, primary)
  expect(shop.closes).toEqual([515])
  // socket.user is a snapshot; creds.me is live
  const { creds } = shop.socket.authState
  expect(creds.me).toMatchObject({ id: device.jid(), lid: device.jid('lid') })
  expect(device.oneTimeKeys.size).toBe(812 - 1) // the phone used one for the first sync
  await until('the push name arrived', () => creds.me?.name === 'Padaria Sol')
  expect(server.unanswered).toEqual([])
})

test('shows new QR codes and gives up when they are used up', async () => {
  const { shop, primary } = await world({ refs: 3 }, { qrTimeout: 150 })
  const codes: string[] = []
  shop.on('qr', (qr) => codes.push(qr))
  const closed = once(shop, 'closed')
  await shop.start()
  expect(await closed).toEqual([408])
  expect(new Set(codes).size).toBe(3)
  await expect(primary.scan(codes[0] ?? '')).rejects.toThrow(/expired/)
})

test('links by pairing code instead of QR', async () => {
  const { server, primary, ana, shop } = await world()
  const shown = once(shop, 'qr')
  await shop.start()
  await shown
  const code = await shop.socket.requestPairingCode(primary.number)
  await until('the request arrived', () => server.pairing.clientByNumber(primary.number) !== undefined)
  const opened = once(shop, 'open')
  const device = await primary.enterCode(code)
  await opened
  expect(shop.socket.authState.creds.me?.id).toBe(device.jid())
  const received = nextUpsert(shop)
  await ana.sendText(primary.number, 'por código')
  expect((await received).text).toBe('por código')
})

test('a wrong pairing code is refused', async () => {
  const { server, primary, shop } = await world()
  const shown = once(shop, 'qr')
  await shop.start()
  await shown
  await shop.socket.requestPairingCode(primary.number, 'AAAAAAAA')
  await until('the request arrived', () => server.pairing.clientByNumber(primary.number) !== undefined)
  await expect(primary.enterCode('BBBBBBBB')).rejects.toThrow()
  expect(primary.companions()).toEqual([])
})

// If this fails, Baileys has repaired Curve.verify and products need trustRoot().
test('canary: rc14 does not check the signatures of the certificate chain', async () => {
  const { shop } = await world()
  onTestFinished(trustRoot(Curve.generateKeyPair().public))
  const shown = once(shop, 'qr')
  await shop.start()
  expect((await shown)[0]).toMatch(/^https:\/\/wa\.me\/settings\/linked_devices#/)
})
