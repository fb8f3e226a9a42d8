import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { Actor } from '@prosa/contracts/events/metadata'
import type { MessageContent } from '@prosa/contracts/values/message-content'
import { erasedContent, erasedText } from '@prosa/contracts/values/personal'
import { idOf, testLog } from '@prosa/kernel/consumers/testing/test-log'
import type { Position } from '@prosa/kernel/event-store/port'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestHistory, testHistory, textsOf } from '../testing/test-history.ts'
import { readLife } from './life.ts'

const [ana, eva, root] = ['ana', 'eva', 'root'].map(idOf) as [string, string, string]
const [balcony, van] = ['balcony', 'van'].map(idOf) as [string, string]
const user: Actor = { kind: 'user', id: ana }
const whatsapp: Actor = { kind: 'whatsapp', id: balcony }
const tenant = ana
const minute = 60

let history: TestHistory
beforeAll(async () => {
  history = await testHistory()
  await history.register(ana, 'Ana')
  await history.register(eva, 'Eva')
  await history.register(root, 'Rui')
  await history.append(`user-${root}`, { type: 'RoleGranted', data: { role: 'admin' } }, { seconds: 0, tenant: root })
  for (const [id, name] of [
    [balcony, 'Balcão'],
    [van, 'Entregas'],
  ] as const)
    await history.append(
      `connection-${id}`,
      { type: 'ConnectionAdded', data: { name } },
      { seconds: 1, tenant, actor: user },
    )
}, 60_000)
afterAll(() => history.prosa.stop())

const text = (words: string): MessageContent => ({ kind: 'text', text: words })
const added = (name: string): AnyEvent => ({
  type: 'ContactAdded',
  data: { phone: null, lid: null, name, origin: 'message' },
})
const received = (messageId: string, content: MessageContent, connectionId = balcony): AnyEvent => ({
  type: 'MessageReceived',
  data: { messageId, connectionId, content, sentAt: '2026-11-21T12:00:00.000Z' },
})
const queued = (messageId: string, content: MessageContent, connectionId = balcony): AnyEvent => ({
  type: 'MessageQueued',
  data: { messageId, connectionId, toJid: 'x@lid', content, attendantId: ana },
})
const tick = (type: 'MessageSent' | 'MessageDelivered' | 'MessageRead', messageId: string): AnyEvent => ({
  type,
  data: { messageId },
})
const accepted: AnyEvent = { type: 'ConversationAccepted', data: { attendantId: ana } }
const resolved: AnyEvent = { type: 'ConversationResolved', data: { attendantId: ana } }

const life = (contact: string, query = '', reader = ana) =>
  history.read(`/api/whatsapp/contacts/${contact}/history${query}`, reader)
const lifeForAdmin = (contact: string, query = '') =>
  history.read(`/api/admin/contacts/${contact}/history${query}`, root)

/** Oldest first, as it happened. */
const inOrder = (reply: Awaited<ReturnType<typeof life>>) =>
  reply.body.items
    .toReversed()
    .flatMap(({ entries }) => entries.map(({ depth, text }) => `${'  '.repeat(depth)}${text}`))

const conversationOf = async (contact: string, name: string, start: number) => {
  const at = (seconds: number, more = {}) => ({ seconds: start + seconds, tenant, ...more })
  await history.append(
    `contact-${contact}`,
    added(name),
    at(0, { id: `${contact} added`, cause: `${contact} arrival 1`, actor: whatsapp }),
  )
  await history.append(
    `chat-${contact}`,
    received('m1', text('Tem pão?')),
    at(0, { cause: `${contact} arrival 1`, actor: whatsapp }),
  )
  await history.append(`contact-${contact}`, accepted, at(3 * minute, { actor: user }))
  await history.append(`chat-${contact}`, queued('a1', text('Tem sim')), at(4 * minute, { actor: user }))
  await history.append(`chat-${contact}`, tick('MessageSent', 'a1'), at(4 * minute + 1, { actor: whatsapp }))
  await history.append(`chat-${contact}`, tick('MessageDelivered', 'a1'), at(4 * minute + 2, { actor: whatsapp }))
  await history.append(`chat-${contact}`, tick('MessageRead', 'a1'), at(9 * minute, { actor: whatsapp }))
  await history.append(
    `chat-${contact}`,
    {
      type: 'EditQueued',
      data: {
        ...{ editId: 'e1', messageId: 'a1', connectionId: balcony, toJid: 'x@lid', content: text('Tem sim!') },
        ...{ editedAt: '2026-11-21T12:00:00.000Z', until: null, attendantId: ana },
      },
    },
    at(10 * minute, { actor: user }),
  )
  await history.append(`contact-${contact}`, resolved, at(15 * minute, { actor: user }))
  await history.append(
    `contact-${contact}`,
    { type: 'ConversationReopened', data: {} },
    at(60 * minute, { cause: `${contact} arrival 2`, actor: whatsapp }),
  )
  const photo: MessageContent = {
    ...{ kind: 'image', caption: 'minha receita' },
    file: { id: idOf('photo'), mediaType: 'image/jpeg', bytes: 10, source: null },
  }
  await history.append(
    `chat-${contact}`,
    received('m2', photo),
    at(60 * minute, { cause: `${contact} arrival 2`, actor: whatsapp }),
  )
}

describe('the life of a conversation', () => {
  const carla = idOf('carla')
  beforeAll(() => conversationOf(carla, 'Carla', 1000))

  const whole = [
    'Carla escreveu pela primeira vez',
    'Carla escreveu',
    'Ana Souza aceitou a conversa depois de 3 min de espera',
    'Ana Souza respondeu depois de 4 min',
    '  Enviada às 09:20:41, entregue às 09:20:42, lida às 09:25:40',
    'Ana Souza editou uma mensagem',
    'Ana Souza finalizou a conversa depois de 12 min de atendimento',
    'A conversa com Carla voltou a esperar, pela mensagem das 10:16:40',
    'Carla enviou uma foto',
  ]

  it('says who wrote, waited, accepted, answered after how long, what arrived and was read, corrected, finished, reopened', async () => {
    const reply = await life(carla)
    expect(reply.status).toBe(200)
    expect(inOrder(reply)).toEqual(whole)
    expect(reply.body.nextCursor).toBeNull()
    expect(new Set(reply.body.items.flatMap(({ entries }) => entries.map(({ actor }) => actor.name)))).toEqual(
      new Set(['WhatsApp', 'você']),
    )
  })

  it('has no word of what was written, unless it is asked for', async () => {
    expect(JSON.stringify((await life(carla)).body)).not.toMatch(/pão|Tem sim|receita/)
    const texts = textsOf(await life(carla, '?texts=true'))
    expect(texts).toContain('Carla escreveu: “Tem pão?”')
    expect(texts).toContain('Ana Souza respondeu depois de 4 min: “Tem sim”')
    expect(texts).toContain('Ana Souza editou uma mensagem: “Tem sim!”')
    expect(texts).toContain('Carla escreveu: “minha receita”')
  })

  it('is nobody else’s', async () => {
    expect((await life(carla, '', eva)).status).toBe(404)
    expect((await life(idOf('nobody'))).status).toBe(404)
    expect((await life('not-an-id')).status).toBe(404)
    expect((await history.read(`/api/admin/contacts/${carla}/history`, ana)).status).toBe(403)
  })

  it('shows an administrator the same after a purpose; with texts it is recorded as a reading of these messages', async () => {
    expect(inOrder(await lifeForAdmin(carla))).toEqual(whole)
    expect(textsOf(await lifeForAdmin(carla, '?texts=true'))).toContain('Carla escreveu: “Tem pão?”')
    const readings = (await everythingIn(history.prosa.ports.store, 'tenantReading')).map(({ data }) => data)
    const about = { tenantId: ana, record: `contact:${carla}` }
    expect(readings).toContainEqual(expect.objectContaining({ ...about, what: 'history' }))
    expect(readings).toContainEqual(expect.objectContaining({ ...about, what: 'messages' }))
    expect((await lifeForAdmin(idOf('nobody'))).status).toBe(404)
  })

  it('is asked for page by page: every event once, in the same words', async () => {
    const long = idOf('long')
    await history.append(`contact-${long}`, added('Dora'), { seconds: 20_000, tenant })
    for (let index = 0; index < 150; index++) {
      const seconds = 20_000 + index * 100
      await history.append(`chat-${long}`, received(`m${index}`, text(`pergunta ${index}`)), { seconds, tenant })
      await history.append(`chat-${long}`, queued(`a${index}`, text(`resposta ${index}`)), {
        seconds: seconds + 50,
        tenant,
      })
      await history.append(`chat-${long}`, tick('MessageSent', `a${index}`), { seconds: seconds + 51, tenant })
    }
    await history.append(`chat-${long}`, tick('MessageRead', 'a0'), { seconds: 40_000, tenant })
    const found: string[] = []
    let cursor = ''
    let pages = 0
    do {
      const reply = await life(long, `?texts=true${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
      found.push(...reply.body.items.map(({ entries }) => entries.map((entry) => entry.text).join(' / ')))
      cursor = reply.body.nextCursor ?? ''
      pages++
    } while (cursor !== '')
    expect(pages).toBeGreaterThan(4)
    expect(found).toHaveLength(302)
    expect(new Set(found).size).toBe(302)
    expect(found[0]).toBe('O contato leu a mensagem')
    const answers = found.filter((each) => each.includes('respondeu depois de 50 s: “resposta'))
    expect(answers).toHaveLength(150)
    expect(answers.filter((each) => each.includes('Enviada às'))).toHaveLength(150)
    expect(found.at(-1)).toBe('Dora escreveu pela primeira vez')
  }, 60_000)

  it('reads of 50,000 messages no more than of a few hundred, at the end, in the middle and at the beginning', async () => {
    const huge = idOf('huge')
    // Beside the read models, which would fold them for as long.
    const { store, codec } = testLog()
    const stream = `chat-${huge}`
    for (let from = 0; from < 50_000; from += 1000) {
      const events = Array.from({ length: 1000 }, (_, index) => {
        const name = `huge ${from + index}`
        const ids = { causationId: idOf(name), correlationId: idOf(name) }
        const metadata = { ...ids, actor: whatsapp, tenant, recordedAt: '2026-11-22T12:00:00.000Z' }
        return { id: idOf(name), stream, event: received(name, text(name)), metadata }
      })
      await store.append(stream, from === 0 ? 'no_stream' : BigInt(from - 1), await codec.encode(events))
    }
    let events = 0
    const counted = new Proxy(store, {
      get: (target, name) => {
        if (name !== 'read') return Reflect.get(target, name)
        return async function* (of: string, options?: { from?: bigint; max?: number }) {
          for await (const page of target.read(of, options)) {
            events += page.length
            yield page
          }
        }
      },
    })
    const reader = { store: counted, codec, pool: history.prosa.ports.pool }
    const positionOf = async (from: bigint) => {
      for await (const [event] of store.read(stream, { from, max: 1 })) return event?.position
      return undefined
    }
    const pageBefore = async (before: Position | undefined) => {
      events = 0
      const page = await readLife(reader, { contactIds: [huge], withTexts: false, tenantId: ana, before })
      expect(events).toBeLessThan(400)
      return [page.threads.length, page.next !== undefined]
    }
    expect(await pageBefore(undefined)).toEqual([60, true])
    expect(await pageBefore(await positionOf(25_000n))).toEqual([60, true])
    expect(await pageBefore(await positionOf(10n))).toEqual([10, false])
  }, 60_000)
})

describe('two contacts that are one person', () => {
  const [old, young] = ['old', 'young'].map(idOf) as [string, string]
  const merge = async () => {
    await history.append(
      `contact-${young}`,
      { type: 'ContactAbsorbed', data: { into: old } },
      { seconds: 60_000, tenant },
    )
    await history.append(
      `contact-${old}`,
      { type: 'ContactMerged', data: { absorbed: young } },
      { seconds: 60_001, tenant },
    )
  }

  it('have one life while they are merged, asked for by either, and their own after they are separated', async () => {
    await history.append(`contact-${old}`, added('Zeca'), { seconds: 55_000, tenant })
    await history.append(`chat-${old}`, received('m1', text('um')), { seconds: 55_000, tenant })
    await history.append(`contact-${young}`, added('José'), { seconds: 55_100, tenant })
    await history.append(`chat-${young}`, received('m2', text('dois'), van), { seconds: 55_100, tenant })
    await merge()
    const both = textsOf(await life(old, '?texts=true'))
    expect(both.filter((each) => each.includes('escreveu: '))).toEqual([
      expect.stringContaining('“dois”'),
      expect.stringContaining('“um”'),
    ])
    expect(textsOf(await life(young, '?texts=true'))).toEqual(both)
    await history.append(
      `contact-${old}`,
      { type: 'ContactSeparated', data: { restored: young } },
      { seconds: 61_000, tenant, actor: user },
    )
    await history.append(
      `contact-${young}`,
      { type: 'ContactRestored', data: { from: old } },
      { seconds: 61_001, tenant, actor: user },
    )
    const [ofOld, ofYoung] = [textsOf(await life(old, '?texts=true')), textsOf(await life(young, '?texts=true'))]
    expect(ofOld.join()).toContain('“um”')
    expect(ofOld.join()).not.toContain('“dois”')
    expect(ofYoung.join()).toContain('“dois”')
    expect(ofYoung.join()).not.toContain('“um”')
    expect(ofOld).toContain('Ana Souza separou José deste contato')
    expect(ofYoung).toContain('O contato voltou a existir separado de Zeca')
  })
})

describe('two numbers', () => {
  it('are named beside what came and went over them', async () => {
    const two = idOf('two numbers')
    await history.append(`contact-${two}`, added('Lia'), { seconds: 70_000, tenant })
    await history.append(`chat-${two}`, received('m1', text('oi'), van), { seconds: 70_000, tenant })
    await history.append(`chat-${two}`, queued('a1', text('olá'), balcony), { seconds: 70_010, tenant, actor: user })
    const { items } = (await life(two)).body
    const lines = items.map(({ entries }) => entries[0]?.records.find(({ kind }) => kind === 'connection')?.name)
    expect(lines).toEqual(['Balcão', 'Entregas', undefined])
  })
})

describe('an erased person', () => {
  it('leaves when things happened, and no word, for the tenant and for administrators', async () => {
    const gone = idOf('gone')
    // As the codec shows events once the keys are destroyed.
    await history.append(`contact-${gone}`, added(erasedText), { seconds: 80_000, tenant })
    await history.append(`chat-${gone}`, received('m1', erasedContent), { seconds: 80_000, tenant })
    await history.append(
      `contact-${gone}`,
      { type: 'ContactErased', data: {} },
      { seconds: 80_100, tenant, actor: user },
    )
    await history.append(`chat-${gone}`, { type: 'ChatErased', data: {} }, { seconds: 80_101, tenant })
    for (const reply of [await life(gone, '?texts=true'), await lifeForAdmin(gone, '?texts=true')]) {
      expect(reply.status).toBe(200)
      expect(textsOf(reply)).toContain('[apagado] escreveu: “[apagado]”')
      expect(textsOf(reply)).toContain('Ana Souza apagou os dados pessoais do contato')
    }
  })
})
