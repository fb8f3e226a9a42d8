import { once } from 'node:events'
import { join } from 'node:path'
import { simulatedMessage } from '@prosa/contracts/http/simulator'
import { downloadMediaMessage } from '@whiskeysockets/baileys'
import { expect, onTestFinished, test } from 'vitest'
import { nextUpsert, temporaryFolder } from '../testing/harness.ts'
import { LinkedNumber } from '../testing/linked-number.ts'
import { link, openPage, type SimulatorPage } from '../testing/simulator-page.ts'
import { until } from '../testing/until.ts'

const picture = Buffer.from('um retrato'.repeat(30))

async function twoPhones(page: SimulatorPage) {
  const [ana, bia] = [await page.add('Ana', '11987654321'), await page.add('Bia', '11987654322')]
  const fromAna = `/phones/${ana.id}/chats/${bia.number}`
  const fromBia = `/phones/${bia.id}/chats/${ana.number}`
  const anaSees = () => page.chat(ana.id, bia.number)
  const biaSees = () => page.chat(bia.id, ana.number)
  return { ana, bia, fromAna, fromBia, anaSees, biaSees }
}

test('a file travels with what is written about it, and opens on the other side', async () => {
  const page = await openPage()
  const { fromAna, fromBia, biaSees } = await twoPhones(page)
  const about = 'kind=voice&seconds=3&waveform=0,50,100&mediaType=audio/ogg;%20codecs=opus'
  const sent = await page.upload(`${fromAna}/files?${about}`, picture)
  expect(sent.status).toBe(201)
  expect(simulatedMessage.parse(sent.body)).toMatchObject({ kind: 'voice', file: { seconds: 3 } })
  await expect.poll(biaSees).toHaveLength(1)
  const [received] = await biaSees()
  expect(received).toMatchObject({
    kind: 'voice',
    text: '',
    file: { mediaType: 'audio/ogg; codecs=opus', bytes: picture.length, waveform: [0, 50, 100] },
  })
  const file = await page.download(`${fromBia}/messages/${received?.id}/file`)
  expect(file).toEqual({ status: 200, type: 'audio/ogg; codecs=opus', bytes: picture })
})

test('quotes, edits, deletions and reactions look the same on both phones', async () => {
  const page = await openPage()
  const { bia, fromAna, fromBia, anaSees, biaSees } = await twoPhones(page)
  const { body: question } = await page.post(`${fromAna}/messages`, { text: 'Que horas abrem?' })
  await expect.poll(biaSees).toHaveLength(1)
  await page.post(`${fromBia}/messages`, { text: 'Às 7h', quotedId: question.id })
  await expect.poll(anaSees).toHaveLength(2)
  const [, answer] = await anaSees()
  expect(answer?.quoted).toMatchObject({ id: question.id, text: 'Que horas abrem?' })

  const edited = await page.call('PATCH', `${fromBia}/messages/${answer?.id}`, { text: 'Às 8h' })
  expect(edited.body).toMatchObject({ text: 'Às 8h', editedAt: expect.any(String) })
  await expect.poll(async () => (await anaSees())[1]?.text).toBe('Às 8h')

  await page.call('PUT', `${fromBia}/messages/${question.id}/reaction`, { emoji: '👍' })
  await expect
    .poll(async () => (await anaSees())[0]?.reactions)
    .toEqual([{ emoji: '👍', fromMe: false, number: bia.number }])
  await page.call('PUT', `${fromBia}/messages/${question.id}/reaction`, { emoji: null })
  await expect.poll(async () => (await anaSees())[0]?.reactions).toEqual([])

  expect((await page.call('DELETE', `${fromAna}/messages/${question.id}`)).status).toBe(204)
  await expect.poll(async () => (await biaSees())[0]).toMatchObject({ deleted: true, text: '' })
})

test('typing is shown until the message comes', async () => {
  const page = await openPage()
  const { bia, fromAna } = await twoPhones(page)
  await page.post(`${fromAna}/messages`, { text: 'oi' })
  const activity = async () => (await page.phone(bia.id)).chats[0]?.activity
  await page.post(`${fromAna}/activity`, { activity: 'recording' })
  await expect.poll(activity).toBe('recording')
  await page.post(`${fromAna}/activity`, { activity: 'composing' })
  await expect.poll(activity).toBe('composing')
  await page.post(`${fromAna}/messages`, { text: 'tudo bem?' })
  await expect.poll(activity).toBeNull()
})

test('a group is made of phones; who writes is named, and files and reactions travel in it', async () => {
  const page = await openPage()
  const { ana, bia } = await twoPhones(page)
  const caio = await page.add('Caio', '11987654323')
  const made = await page.post('/groups', { subject: 'Família', memberIds: [ana.id, bia.id, caio.id] })
  expect(made.status).toBe(201)
  const group = made.body.id as string
  const sees = (phone: { id: string }) => page.chat(phone.id, group)
  expect((await page.phone(caio.id)).chats).toMatchObject([
    {
      with: { number: group, name: 'Família' },
      isGroup: true,
      members: [{ name: 'Ana' }, { name: 'Bia' }, { name: 'Caio' }],
    },
  ])
  const { body: hello } = await page.post(`/phones/${ana.id}/chats/${group}/messages`, { text: 'oi, gente' })
  await page.upload(`/phones/${ana.id}/chats/${group}/files?kind=image&caption=olha`, picture, 'image/png')
  for (const phone of [bia, caio]) {
    await expect
      .poll(() => sees(phone))
      .toMatchObject([
        { text: 'oi, gente', author: { name: 'Ana' } },
        { kind: 'image', text: 'olha', author: { name: 'Ana' } },
      ])
  }
  await page.call('PUT', `/phones/${caio.id}/chats/${group}/messages/${hello.id}/reaction`, { emoji: '❤️' })
  for (const phone of [ana, bia]) {
    await expect
      .poll(async () => (await sees(phone))[0]?.reactions)
      .toMatchObject([{ emoji: '❤️', number: caio.number }])
  }
})

test('whoever is blocked sees that the message was refused', async () => {
  const page = await openPage()
  const { ana, bia, fromAna, anaSees, biaSees } = await twoPhones(page)
  await page.post(`/phones/${bia.id}/block`, { number: ana.number, blocked: true })
  await page.post(`${fromAna}/messages`, { text: 'oi?' })
  await expect.poll(async () => (await anaSees())[0]?.status).toBe('recusada')
  await page.post(`/phones/${bia.id}/block`, { number: ana.number, blocked: false })
  await page.post(`${fromAna}/messages`, { text: 'e agora?' })
  await expect.poll(biaSees).toMatchObject([{ text: 'e agora?' }])
})

test('a phone is linked by the code that the client shows', async () => {
  const page = await openPage()
  const shop = await page.add('Padaria Sol', '11987654321')
  const client = new LinkedNumber(page.simulator.url, join(await temporaryFolder(), 'auth'))
  onTestFinished(() => client.stop())
  const shown = once(client, 'qr')
  await client.start()
  await shown
  const code = await client.socket.requestPairingCode(shop.number)
  const wrong = await page.post(`/phones/${shop.id}/pairing-code`, { code: '1234' })
  expect(wrong).toMatchObject({ status: 422, body: { errors: [{ field: 'code' }] } })
  const opened = once(client, 'open')
  const typed = `${code.slice(0, 4)}-${code.slice(4).toLowerCase()}`
  expect((await page.post(`/phones/${shop.id}/pairing-code`, { code: typed })).status).toBe(201)
  await opened
  expect((await page.phone(shop.id)).linkedDevices).toHaveLength(1)
})

test('files, groups and who is blocked are the same after a restart, and a client can fetch an old file', async () => {
  const stateFile = join(await temporaryFolder(), 'state.json')
  const before = await openPage({ stateFile })
  const { ana, bia } = await twoPhones(before)
  await before.post('/groups', { subject: 'Família', memberIds: [ana.id, bia.id] })
  await before.post(`/phones/${ana.id}/block`, { number: bia.number, blocked: true })
  const { client } = await link(before, bia.id, await temporaryFolder())
  await client.stop()
  await before.upload(`/phones/${ana.id}/chats/${bia.number}/files?kind=image`, picture, 'image/png')
  await expect.poll(() => before.status(ana.id, bia.number)).toBe('entregue')
  const phones = await before.get('/phones')
  await before.close()

  const after = await openPage({ stateFile })
  expect(after.simulator.url).toBe(before.simulator.url)
  expect(await after.get('/phones')).toEqual(phones)
  const [message] = await after.chat(bia.id, ana.number)
  const file = await after.download(`/phones/${bia.id}/chats/${ana.number}/messages/${message?.id}/file`)
  expect(file.bytes).toEqual(picture)
})

test('a client that was away over a restart fetches the file that waited for it', async () => {
  const stateFile = join(await temporaryFolder(), 'state.json')
  const before = await openPage({ stateFile })
  const { ana, bia, fromAna } = await twoPhones(before)
  const folder = await temporaryFolder()
  const { client } = await link(before, bia.id, folder)
  const [companion] = before.simulator.sandbox.phones.get(bia.number)?.companions() ?? []
  await until('the first sync is over', () => companion?.awaitsFirstSync === false && companion.inbox.size === 0)
  await client.stop()
  await before.upload(`${fromAna}/files?kind=image`, picture, 'image/png')
  await expect.poll(() => before.status(ana.id, bia.number)).toBe('entregue')
  await before.close()
  const after = await openPage({ stateFile })
  const again = new LinkedNumber(after.simulator.url, join(folder, 'auth'))
  onTestFinished(() => again.stop())
  const received = nextUpsert(again)
  await again.start()
  expect(await downloadMediaMessage((await received).message, 'buffer', {})).toEqual(picture)
})

test('faults are ordered by name and taken back, and what is wrong about an order is reported', async () => {
  const page = await openPage()
  const { bia, fromAna, biaSees } = await twoPhones(page)
  const { client } = await link(page, bia.id, await temporaryFolder())
  await page.post('/faults', { name: 'refuse-messages', code: '463', count: 2 })
  await page.post('/faults', { name: 'refuse-logins', code: '503' })
  await page.post('/faults', { name: 'lose-messages', count: 3 })
  const { body } = await page.post('/faults', { name: 'delay', ms: 250 })
  expect(body).toEqual({
    loseMessages: 3,
    loseReceipts: 0,
    refuseMessages: ['463', '463'],
    refuseLogins: ['503'],
    delayMs: 250,
  })
  expect((await page.call('DELETE', '/faults')).status).toBe(204)
  expect(await page.get('/faults')).toMatchObject({ loseMessages: 0, refuseMessages: [], delayMs: 0 })

  const back = once(client, 'open')
  expect((await page.post('/faults', { name: 'drop-line', phoneId: bia.id })).status).toBe(200)
  await back
  const again = once(client, 'open')
  expect((await page.post('/faults', { name: 'restart' })).status).toBe(200)
  await again
  await page.post(`${fromAna}/messages`, { text: 'ainda aí?' })
  await expect.poll(biaSees).toMatchObject([{ text: 'ainda aí?' }])

  const wrong: [order: object, field: string][] = [
    [{ name: 'explode' }, 'name'],
    [{ name: 'refuse-logins', code: '200' }, 'code'],
    [{ name: 'delay', ms: -1 }, 'ms'],
    [{ name: 'drop-line', phoneId: bia.id, deviceId: '9' }, 'deviceId'],
  ]
  for (const [order, field] of wrong) {
    const { status, body } = await page.post('/faults', order)
    expect([status, body.errors[0]?.field]).toEqual([422, field])
    expect(body.errors[0].message).toMatch(/^[A-ZÁÉÍÓÚÂÊÔÃÕÇ].*\.$/)
  }
})

test('what cannot be done in a chat is refused with a sentence', async () => {
  const page = await openPage()
  const { ana, bia, fromAna, fromBia, biaSees } = await twoPhones(page)
  const { body: sent } = await page.post(`${fromAna}/messages`, { text: 'oi' })
  await expect.poll(biaSees).toHaveLength(1)
  const refusals: [Promise<{ status: number; body: { title: string } }>, number, RegExp][] = [
    [page.call('PATCH', `${fromBia}/messages/${sent.id}`, { text: 'outro' }), 422, /quem escreveu/],
    [page.call('DELETE', `${fromBia}/messages/${sent.id}`), 422, /quem escreveu/],
    [page.call('PUT', `${fromBia}/messages/NADA/reaction`, { emoji: '👍' }), 404, /não existe/],
    [page.post(`${fromAna}/messages`, { text: 'oi', quotedId: 'NADA' }), 422, /citada/],
    [page.upload(`${fromAna}/files?kind=foto`, picture), 422, /Confira/],
    [page.upload(`${fromAna}/files?kind=image`, Buffer.alloc(0)), 422, /arquivo/],
    [page.post(`${fromAna}/activity`, { activity: 'dancing' }), 422, /Confira/],
    [page.post(`/phones/${ana.id}/block`, { number: ana.number, blocked: true }), 422, /si mesmo/],
    [page.post('/groups', { subject: 'Só eu', memberIds: [ana.id, ana.id] }), 422, /dois telefones/],
    [page.post(`/phones/${bia.id}/chats/1203@g.us/messages`, { text: 'oi' }), 422, /Nenhum telefone/],
  ]
  for (const [reply, expected, sentence] of refusals) {
    const { status, body } = await reply
    expect([status, body.title]).toEqual([expected, expect.stringMatching(sentence)])
  }
  await page.post(`/phones/${ana.id}/offline`)
  const offline = await page.call('DELETE', `${fromAna}/messages/${sent.id}`)
  expect(offline).toMatchObject({ status: 409, body: { title: expect.stringMatching(/sem internet/) } })
})
