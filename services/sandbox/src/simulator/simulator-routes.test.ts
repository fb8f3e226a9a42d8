import { once } from 'node:events'
import { join } from 'node:path'
import { simulatedMessage, simulatedPhone } from '@prosa/contracts/http/simulator'
import { expect, test } from 'vitest'
import { nextUpsert, temporaryFolder } from '../testing/harness.ts'
import { link, openPage } from '../testing/simulator-page.ts'
import { until } from '../testing/until.ts'

test('a phone is added with a name and any spelling of a Brazilian number', async () => {
  const { post, get } = await openPage()
  for (const [number, known] of [
    ['(11) 98765-4321', '5511987654321'],
    ['+55 21 3456-7890', '552134567890'],
  ]) {
    const { status, body } = await post('/phones', { name: ' Ana ', number })
    expect(status).toBe(201)
    expect(simulatedPhone.parse(body)).toMatchObject({ name: 'Ana', number: known, online: true, chats: [] })
  }
  expect(await get('/phones')).toHaveLength(2)
})

test('wrong input is refused with the name of the field and a sentence', async () => {
  const { post, add } = await openPage()
  const { id, number } = await add('Ana', '11987654321')
  const chats = `/phones/${id}/chats`
  const refusals: [path: string, body: object, status: number, field: string | undefined, sentence: RegExp][] = [
    ['/phones', { number: '11987654322' }, 422, 'name', /nome/],
    ['/phones', { name: 'Bia', number: '987654321' }, 422, 'number', /DDD/],
    ['/phones', { name: 'Bia', number: '11 98765 4321' }, 409, 'number', /Já existe/],
    [`/phones/${id}/scan`, { qr: 'https://exemplo.com.br' }, 422, 'qr', /expirou/],
    [`/phones/${id}/unlink`, { deviceId: '7' }, 404, 'deviceId', /não está conectado/],
    [`${chats}/5511999999999/messages`, { text: 'oi' }, 422, 'number', /Nenhum telefone/],
    [`${chats}/${number}/messages`, { text: 'oi' }, 422, 'number', /si mesmo/],
    [`${chats}/5511999999999/messages`, { text: '  ' }, 422, 'text', /Escreva/],
    ['/phones/123/offline', {}, 404, undefined, /não existe/],
  ]
  for (const [path, body, expected, field, sentence] of refusals) {
    const reply = await post(path, body)
    expect([path, reply.status]).toEqual([path, expected])
    expect(reply.body.errors[0]?.field).toBe(field)
    expect(reply.body.errors[0]?.message ?? reply.body.title).toMatch(sentence)
  }
})

test('two phones chat, and the ticks show whether it arrived and was read', async () => {
  const { add, post, chat, phone, status } = await openPage()
  const [ana, bia] = [await add('Ana', '11987654321'), await add('Bia', '11987654322')]
  await post(`/phones/${bia.id}/offline`)
  const sent = await post(`/phones/${ana.id}/chats/${bia.number}/messages`, { text: 'Oi, Bia' })
  expect(simulatedMessage.parse(sent.body)).toMatchObject({ fromMe: true, text: 'Oi, Bia' })
  await expect.poll(() => status(ana.id, bia.number)).toBe('enviada')
  expect((await phone(bia.id)).chats).toEqual([])
  await post(`/phones/${bia.id}/online`)
  await expect.poll(() => status(ana.id, bia.number)).toBe('entregue')
  expect(await chat(bia.id, ana.number)).toMatchObject([{ fromMe: false, text: 'Oi, Bia', status: 'entregue' }])
  expect((await phone(bia.id)).chats).toMatchObject([{ with: { number: ana.number, name: 'Ana' }, unread: 1 }])
  await post(`/phones/${bia.id}/chats/${ana.number}/read`)
  await expect.poll(() => status(ana.id, bia.number)).toBe('lida')
  expect((await phone(bia.id)).chats).toMatchObject([{ unread: 0, lastMessage: { text: 'Oi, Bia' } }])
})

test('what an offline phone writes and reads goes out when it is back', async () => {
  const { add, post, chat, status } = await openPage()
  const [ana, bia] = [await add('Ana', '11987654321'), await add('Bia', '11987654322')]
  await post(`/phones/${bia.id}/chats/${ana.number}/messages`, { text: 'viu isto?' })
  await expect.poll(() => status(bia.id, ana.number)).toBe('entregue')
  await post(`/phones/${ana.id}/offline`)
  await post(`/phones/${ana.id}/chats/${bia.number}/read`)
  await post(`/phones/${ana.id}/chats/${bia.number}/messages`, { text: 'vi agora' })
  expect(await status(ana.id, bia.number)).toBe('enviando')
  expect(await status(bia.id, ana.number)).toBe('entregue')
  await post(`/phones/${ana.id}/online`)
  await expect.poll(() => status(ana.id, bia.number)).toBe('entregue')
  await expect.poll(async () => (await chat(bia.id, ana.number))[0]?.status).toBe('lida')
})

test('a client is linked by its QR code, writes as the phone, and is unlinked', async () => {
  const page = await openPage()
  const [shop, ana] = [await page.add('Padaria Sol', '11987654321'), await page.add('Ana', '11987654322')]
  const { client, qr } = await link(page, shop.id, await temporaryFolder())
  const [device] = (await page.phone(shop.id)).linkedDevices
  expect(device).toEqual({ id: '1', online: true })
  expect((await page.post(`/phones/${ana.id}/scan`, { qr })).status).toBe(422)

  const upsert = nextUpsert(client)
  await page.post(`/phones/${ana.id}/chats/${shop.number}/messages`, { text: 'Vocês abrem domingo?' })
  const { message, text } = await upsert
  expect(text).toBe('Vocês abrem domingo?')
  await client.socket.sendMessage(message.key.remoteJid ?? '', { text: 'Das 7h às 13h.' })
  await expect.poll(() => page.status(ana.id, shop.number)).toBe('entregue')
  await expect.poll(async () => (await page.chat(shop.id, ana.number)).length).toBe(2)
  await expect.poll(() => page.status(shop.id, ana.number)).toBe('entregue')
  expect(await page.chat(shop.id, ana.number)).toMatchObject([
    { fromMe: false, text: 'Vocês abrem domingo?' },
    { fromMe: true, text: 'Das 7h às 13h.' },
  ])
  await page.post(`/phones/${ana.id}/chats/${shop.number}/read`)
  await expect.poll(() => page.status(shop.id, ana.number)).toBe('lida')

  const closed = once(client, 'closed')
  expect((await page.post(`/phones/${shop.id}/unlink`, { deviceId: '1' })).status).toBe(204)
  expect(await closed).toEqual([401])
  expect((await page.phone(shop.id)).linkedDevices).toEqual([])
})

test('a removed phone is gone with its linked devices, and nobody can write to it', async () => {
  const page = await openPage()
  const [shop, ana] = [await page.add('Padaria Sol', '11987654321'), await page.add('Ana', '11987654322')]
  const { client } = await link(page, shop.id, await temporaryFolder())
  await page.post(`/phones/${ana.id}/chats/${shop.number}/messages`, { text: 'oi' })
  const closed = once(client, 'closed')
  expect((await page.call('DELETE', `/phones/${shop.id}`)).status).toBe(204)
  expect(await closed).toEqual([401])
  expect(await page.phone(shop.id)).toBeUndefined()
  expect((await page.phone(ana.id)).chats).toMatchObject([{ with: { number: shop.number, name: null } }])
  expect((await page.post(`/phones/${ana.id}/chats/${shop.number}/messages`, { text: 'alô?' })).status).toBe(422)
})

test('chats, ticks, links and who is offline are the same after a restart', async () => {
  const stateFile = join(await temporaryFolder(), 'state.json')
  const before = await openPage({ stateFile })
  const [shop, ana] = [await before.add('Padaria Sol', '11987654321'), await before.add('Ana', '11987654322')]
  const { client } = await link(before, shop.id, await temporaryFolder())
  await before.post(`/phones/${ana.id}/chats/${shop.number}/messages`, { text: 'antes' })
  await expect.poll(() => before.status(ana.id, shop.number)).toBe('entregue')
  await before.post(`/phones/${ana.id}/offline`)
  await before.post(`/phones/${ana.id}/chats/${shop.number}/messages`, { text: 'espera' })
  const phones = await before.get('/phones')
  await before.close()

  const upsert = nextUpsert(client)
  const after = await openPage({ stateFile, port: Number(new URL(before.simulator.url).port) })
  await until('the client is back', () => after.simulator.phones()[0]?.linkedDevices[0]?.online === true, 15_000)
  expect(await after.get('/phones')).toEqual(phones)
  await after.post(`/phones/${ana.id}/online`)
  expect((await upsert).text).toBe('espera')
  await expect.poll(() => after.status(ana.id, shop.number)).toBe('entregue')
})

test('open pages receive every change, and their streams end with the host', async () => {
  const { app, add, post } = await openPage()
  const [ana, bia] = [await add('Ana', '11987654321'), await add('Bia', '11987654322')]
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const stream = await fetch(`${address}/api/simulador/events`)
  expect(stream.headers.get('content-type')).toBe('text/event-stream')
  let received = ''
  const reading = (async () => {
    for await (const chunk of stream.body ?? []) received += Buffer.from(chunk).toString()
  })()
  await until('the stream is open', () => received.includes('retry:'))
  await post(`/phones/${ana.id}/chats/${bia.number}/messages`, { text: 'oi' })
  await until('the change is sent', () => received.includes('event: change\n'))
  await app.close()
  await reading
})
