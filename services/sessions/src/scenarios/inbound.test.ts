import type { Host } from '@prosa/kernel/host'
import { until } from '@prosa/kernel/testing/until'
import type { Device } from '@prosa/sandbox/server/directory'
import { el, type Stanza, seconds } from '@prosa/sandbox/wire/stanza'
import { proto } from '@whiskeysockets/baileys'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openShop, type Shop } from '../testing/shop.ts'

let shop: Shop
let running: Host
let id: string
let device: Device
let before: number

beforeAll(async () => {
  shop = await openShop()
  running = await shop.start()
  const linked = await shop.link()
  id = linked.connectionId
  device = linked.device
})
afterAll(() => shop.close())
beforeEach(async () => {
  await settled()
  before = (await shop.lineEvents(id)).length
})

const arrivals = async () =>
  (await shop.lineEvents(id)).slice(before).flatMap((event) => (event.type === 'MessageArrived' ? [event] : []))
const texts = () => shop.texts(id, before)
const settled = () => until(() => device.inbox.size === 0)

const receiptsFrom = (companion: Device, { ana }: Shop): string[] => {
  const ids: string[] = []
  ana.on('receipt', (receipt) => {
    if (receipt.from === companion.account.number && receipt.device === companion.id) ids.push(receipt.id)
  })
  return ids
}

describe('a message that arrives', () => {
  test('is recorded with who wrote, when, and everything that WhatsApp sent', async () => {
    const earliest = Date.now()
    const messageId = await shop.ana.sendText(shop.phone.number, 'Olá, vocês abrem domingo?')
    const latest = Date.now()
    const [event] = await until(async () => (await arrivals()).length === 1 && arrivals())
    expect(event).toMatchObject({
      data: {
        messageId,
        chatJid: shop.ana.account.jid('lid'),
        alternateJid: shop.ana.account.jid('pn'),
        fromMe: false,
        pushName: 'Ana',
        via: 'notify',
        content: { kind: 'text', text: 'Olá, vocês abrem domingo?' },
      },
      metadata: { tenant: shop.user, actor: { kind: 'whatsapp', id } },
    })
    const sentAt = Date.parse(event?.data.sentAt ?? '')
    expect(sentAt).toBeGreaterThan(earliest - 1000)
    expect(sentAt).toBeLessThanOrEqual(latest)
    const raw = proto.WebMessageInfo.decode(Buffer.from(event?.data.raw ?? '', 'base64'))
    expect(raw.message?.conversation).toBe('Olá, vocês abrem domingo?')
    expect(raw.key?.id).toBe(messageId)
  })

  test('is recorded before its receipt and then not again, when Baileys reports it', async () => {
    const { box } = shop.ports
    const looks: string[] = []
    const fingerprint = box.fingerprint
    box.fingerprint = (text, context) => {
      if (context === 'id of an arrival') looks.push(text)
      return fingerprint(text, context)
    }
    onTestFinished(() => {
      box.fingerprint = fingerprint
    })
    const first = await shop.ana.sendText(shop.phone.number, 'um')
    await shop.ana.sendText(shop.phone.number, 'dois')
    await until(async () => (await arrivals()).length === 2)
    expect(looks.filter((text) => text.includes(first))).toHaveLength(1)
  })

  test('may be addressed by number, or come from somebody who hides it', async () => {
    await shop.ana.sendText(shop.phone.number, 'pelo número', { addressing: 'pn' })
    await until(async () => (await arrivals()).length === 1)
    shop.ana.account.hidesNumber = true
    await shop.ana.sendText(shop.phone.number, 'sem número')
    const events = await until(async () => (await arrivals()).length === 2 && arrivals())
    shop.ana.account.hidesNumber = false
    expect(events.map(({ data }) => [data.chatJid, data.alternateJid])).toEqual([
      [shop.ana.account.jid('pn'), shop.ana.account.jid('lid')],
      [shop.ana.account.jid('lid'), null],
    ])
  })

  test('is recorded as ours when it was written on the phone', async () => {
    await shop.phone.sendText(shop.ana.number, 'respondi pelo celular')
    const [event] = await until(async () => (await arrivals()).length === 1 && arrivals())
    expect(event?.data).toMatchObject({ fromMe: true, chatJid: shop.ana.account.jid('lid') })
  })

  test('is named when Prosa cannot show it, and ignored when it is none or belongs to a group', async () => {
    const target = { remoteJid: shop.phone.account.jid('lid'), id: 'x', fromMe: false }
    await shop.ana.send(shop.phone.number, { reactionMessage: { key: target, text: '👍' } }, { type: 'reaction' })
    await shop.ana.send(shop.phone.number, {
      protocolMessage: { key: target, type: proto.Message.ProtocolMessage.Type.REVOKE },
    })
    const group = shop.server.createGroup('Clientes', shop.ana, [shop.phone])
    await shop.ana.sendToGroup(group, { conversation: 'no grupo' })
    await shop.ana.send(shop.phone.number, { locationMessage: { degreesLatitude: -23.5, degreesLongitude: -46.6 } })
    await shop.ana.send(shop.phone.number, { extendedTextMessage: { text: 'com formatação' } })
    await until(async () => (await texts()).includes('contact notify com formatação'))
    expect(await texts()).toEqual(['contact notify locationMessage', 'contact notify com formatação'])
    await settled()
  })

  test('is recorded once, though WhatsApp repeats it after a broken connection', async () => {
    shop.server.faults.loseReceipts = 1
    await shop.ana.sendText(shop.phone.number, 'vai e volta')
    await until(() => shop.server.faults.loseReceipts === 0)
    await until(async () => (await arrivals()).length === 1)
    await until(() => device.inbox.size <= 1)
    expect(device.inbox.size).toBe(1)
    shop.server.dropConnection(device)
    await settled()
    await shop.ana.sendText(shop.phone.number, 'e depois')
    await until(async () => (await texts()).includes('contact notify e depois'))
    expect(await texts()).toEqual(['contact notify vai e volta', 'contact notify e depois'])
  })

  test('is recorded once, though the same stanza comes twice and is asked for again', async () => {
    const { messageId } = await shop.queue(id, 'para haver uma sessão')
    await until(async () => (await shop.fate(id, messageId)).includes('delivered'))
    before = (await shop.lineEvents(id)).length
    const copies: Stanza[] = []
    const collect = (target: Device, stanza: Stanza) => {
      if (target === device && stanza.tag === 'message') copies.push(stanza)
    }
    shop.server.on('queued', collect)
    await shop.ana.sendText(shop.phone.number, 'uma vez só')
    await until(async () => (await arrivals()).length === 1)
    shop.server.off('queued', collect)
    const [copy] = copies
    if (!copy) throw new Error('no stanza was queued')
    const retried = new Promise((resolve) => shop.ana.once('retry', resolve))
    shop.server.redeliver(device, copy)
    await retried
    await settled()
    await shop.ana.sendText(shop.phone.number, 'outra')
    await until(async () => (await texts()).includes('contact notify outra'))
    expect(await texts()).toEqual(['contact notify uma vez só', 'contact notify outra'])
  })

  test('is in order and complete when WhatsApp kept it while we were away', async () => {
    await shop.server.stop()
    const sent = Array.from({ length: 10 }, (_, index) => `perdida ${index}`)
    for (const text of sent) await shop.ana.sendText(shop.phone.number, text)
    await shop.phone.sendText(shop.ana.number, 'do celular, enquanto isso')
    await shop.server.start()
    await until(async () => (await arrivals()).length === 11)
    await settled()
    expect(await texts()).toEqual([
      ...sent.map((text) => `contact append ${text}`),
      'me append do celular, enquanto isso',
    ])
  })

  test('keeps its place before what comes live while those that WhatsApp kept are still being recorded', async () => {
    await shop.server.stop()
    const kept: string[] = []
    for (let n = 0; n < 40; n++) kept.push(await shop.ana.sendText(shop.phone.number, `perdida ${n}`))
    const attrs = { id: 'UMAVEZ', from: shop.ana.account.jid('lid'), type: 'text', t: String(seconds()) }
    shop.server.deliver(device, el('message', attrs, [el('unavailable', { type: 'view_once' })]))
    shop.cutOff = true
    const isLive = new Promise((resolve) => shop.server.once('online', resolve))
    await shop.server.start()
    await isLive
    await shop.ana.sendText(shop.phone.number, 'ao vivo')
    await shop.ana.editMessage(shop.phone.number, kept[37] ?? '', 'corrigida')
    await shop.ana.deleteMessage(shop.phone.number, kept[38] ?? '')
    await shop.ana.react(shop.phone.number, { id: kept[39] ?? '', from: shop.ana.number }, '👍')
    // No message: once confirmed, everything before it has reached Prosa.
    shop.server.deliver(device, el('receipt', { id: 'TICK', from: shop.ana.account.jid('lid') }))
    await until(() => !device.inbox.values().some(({ tag }) => tag === 'receipt'))
    shop.cutOff = false
    await until(async () => (await shop.lineEvents(id)).length >= before + 45)
    const recorded = (await shop.lineEvents(id)).slice(before)
    expect(recorded.map(({ type, data }) => [type, 'messageId' in data && kept.indexOf(data.messageId ?? '')])).toEqual(
      [
        ...kept.map((_, n) => ['MessageArrived', n]),
        ['MessageArrived', -1],
        ['MessageArrived', -1],
        ['EditArrived', 37],
        ['DeletionArrived', 38],
        ['ReactionArrived', 39],
      ],
    )
    expect((await texts()).slice(39)).toEqual([
      'contact append perdida 39',
      'contact append viewOnceMessage',
      'contact notify ao vivo',
    ])
    await settled()
  })

  test('is logged and counted when it cannot be decrypted, and is asked for again; what comes next is read', async () => {
    const counted = async () => {
      const { body } = await running.app.inject({ url: '/metrics' })
      return Number(/^prosa_whatsapp_undecrypted_total (\d+)$/m.exec(body)?.[1])
    }
    const countedBefore = await counted()
    const warn = vi.spyOn(shop.ports.log, 'warn')
    onTestFinished(() => warn.mockRestore())
    const attrs = { id: 'NOBODYCANREADTHIS', from: shop.ana.account.jid('lid'), type: 'text', t: String(seconds()) }
    const asked = new Promise((resolve) => shop.ana.once('retry', resolve))
    shop.server.deliver(device, el('message', attrs, [el('enc', { v: '2', type: 'msg' }, Buffer.alloc(64, 1))]))
    await asked
    await shop.ana.sendText(shop.phone.number, 'legível')
    await until(async () => (await texts()).includes('contact notify legível'))
    const logged = warn.mock.calls.filter(([fields]) => JSON.stringify(fields).includes(attrs.id))
    expect(logged).toEqual([[{ connectionId: id, messageId: attrs.id, requests: 1 }, 'message could not be decrypted']])
    expect(await counted()).toBe(countedBefore + 1)
    expect(await texts()).toEqual(['contact notify legível'])
  })

  test('is recorded before WhatsApp gets a receipt, however long the log is out of reach', async () => {
    const receipts = receiptsFrom(device, shop)
    shop.cutOff = true
    const first = await shop.ana.sendText(shop.phone.number, 'sem banco 1')
    const second = await shop.ana.sendText(shop.phone.number, 'sem banco 2')
    await until(async () => (await shop.health())['whatsapp facts not stored'])
    expect(receipts).not.toContain(first)
    expect(receipts).not.toContain(second)
    expect(device.inbox.values().filter(({ tag }) => tag === 'message')).toHaveLength(2)
    shop.cutOff = false
    await until(() => receipts.includes(first) && receipts.includes(second))
    expect(await texts()).toEqual(['contact notify sem banco 1', 'contact notify sem banco 2'])
    expect((await shop.health())['whatsapp facts not stored']).toBeUndefined()
  })
})

const kinds = (one: Shop, firstId: () => string): [type: string, send: () => Promise<string>][] => [
  ['MessageArrived', () => one.ana.sendText(one.phone.number, 'no pior momento')],
  [
    'MessageArrived',
    () => one.ana.sendMedia(one.phone.number, 'image', Buffer.from('png'), { mimetype: 'image/png', caption: 'foto' }),
  ],
  ['EditArrived', () => one.ana.editMessage(one.phone.number, firstId(), 'corrigido')],
  ['ReactionArrived', () => one.ana.react(one.phone.number, { id: firstId(), from: one.ana.number }, '👍')],
  ['DeletionArrived', () => one.ana.deleteMessage(one.phone.number, firstId())],
]

test('whatever arrives and is cut short by the end of the process before it is recorded is recorded by the next one', async () => {
  const other = await openShop()
  try {
    let running = await other.start()
    const linked = await other.link()
    const receipts = receiptsFrom(linked.device, other)
    const expected: string[] = []
    let firstId: string | undefined
    // It uses up a one-time key.
    for (const [type, send] of kinds(other, () => firstId ?? '')) {
      other.cutOff = true
      const messageId = await send()
      firstId ??= messageId
      await until(async () => (await other.health())['whatsapp facts not stored'])
      await running.stop()
      expect(await other.lineEvents(linked.connectionId)).toHaveLength(expected.length)
      other.cutOff = false
      running = await other.start()
      expected.push(type)
      await until(async () => (await other.lineEvents(linked.connectionId)).length >= expected.length)
      await until(() => receipts.includes(messageId))
    }
    await until(() => linked.device.inbox.size === 0)
    expect((await other.lineEvents(linked.connectionId)).map(({ type }) => type)).toEqual(expected)
  } finally {
    other.cutOff = false
    await other.close()
  }
})

/** Not over the blocking connection: inside a transaction PostgreSQL shows a fixed snapshot of activity. */
const endWrites = async ({ ports }: Shop) => {
  const { rows } = await ports.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()
       and wait_event_type = 'Lock' and query like '%insert into whatsapp_key%'`,
  )
  return rows.length
}

test('whatever was recorded just before the process ended is read again by the next one, and recorded once', async () => {
  const other = await openShop()
  try {
    let running = await other.start()
    const { connectionId, device: companion } = await other.link()
    // Data on a new contact is written before the message is read.
    const firstId = await other.ana.sendText(other.phone.number, 'antes')
    await until(async () => (await other.texts(connectionId)).length === 1)
    await until(() => companion.inbox.size === 0)
    const receipts = receiptsFrom(companion, other)
    const expected = ['MessageArrived']
    for (const [type, send] of kinds(other, () => firstId)) {
      const jam = await other.ports.pool.connect()
      try {
        // Stops the process between recording and committing the ratchet.
        await jam.query('begin; lock table whatsapp_key in exclusive mode')
        const messageId = await send()
        expected.push(type)
        await until(async () => (await other.lineEvents(connectionId)).length === expected.length)
        await until(async () => (await endWrites(other)) > 0)
        await running.stop()
        await until(async () => (await endWrites(other)) === 0)
        expect(receipts).not.toContain(messageId)
        await jam.query('rollback')
        running = await other.start()
        await until(() => receipts.includes(messageId))
      } finally {
        jam.release(true)
      }
    }
    await other.ana.sendText(other.phone.number, 'e a próxima')
    await until(async () => (await other.texts(connectionId)).includes('contact notify e a próxima'))
    const events = await other.lineEvents(connectionId)
    expect(events.map(({ type }) => type)).toEqual([...expected, 'MessageArrived'])
  } finally {
    await other.close()
  }
})
