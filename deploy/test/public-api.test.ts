import { randomUUID } from 'node:crypto'
import type { Problem } from '@prosa/contracts/http/problem'
import { idempotencyKeyHeader, repliedBeforeHeader } from '@prosa/contracts/http/problem'
import type { PublicContact, PublicMessage } from '@prosa/contracts/http/public/public-api'
import { beginning, type RecordedEvent } from '@prosa/kernel/event-store/port'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAdmin } from './give-role.ts'
import { newKey, Program } from './key-holder.ts'
import { keywordFlow } from './keyword-flow.ts'
import { type Product, startProduct } from './product.ts'
import type { Visitor } from './visitor.ts'

interface Page<Item> {
  items: Item[]
  nextCursor: string | null
}
interface Queued {
  id: string
  contactId: string
  connectionId: string
  isLineOpen: boolean
}

const maxToContact = 6
let product: Product
let tenant: Visitor
let program: Program
let connectionId: string
const shopNumber = '5511900000001'

beforeAll(async () => {
  product = await startProduct({ budgets: { flowMessagesPerContact: maxToContact } })
  tenant = await product.visitor().register()
  connectionId = (await tenant.link(product.whatsapp.addPhone(shopNumber, 'Padaria Sol'))).id
  program = new Program(product.url, (await newKey(tenant)).key)
}, 60_000)
afterAll(() => product?.stop())

let people = 0
const newPhone = () => {
  const number = `55119${80_000_000 + ++people}`
  return { number, phone: product.whatsapp.addPhone(number, `Pessoa ${people}`) }
}
/** Somebody who wrote, and waits. */
const newWriter = async () => {
  const { number, phone } = newPhone()
  await phone.sendText(shopNumber, 'Meu pedido já saiu?')
  const contact = await until(async () => (await tenant.contacts('waiting')).find((each) => each.phone === number))
  // The list may know of a contact before the conversation has the message.
  await until(async () => (await tenant.messages(contact.id)).length > 0)
  return { number, phone, contactId: contact.id }
}
const send = (body: object, headers?: Record<string, string>) =>
  program.ask<Queued & Problem>('POST', '/api/v1/messages', body, headers)
const newFlow = async (word = `palavra ${++people}`, again: 'always' | 'never' = 'always') => {
  const document = keywordFlow(word, 'Olá do fluxo.')
  const settings = { ...document.settings, again }
  const { id } = await tenant.post<{ id: string }>('/api/flows', { name: 'Aviso', document: { ...document, settings } })
  await tenant.post(`/api/flows/${id}/publish`, { basedOn: 0 })
  return id
}
const start = (flowId: string, body: object, headers?: Record<string, string>) =>
  program.ask<{ id: string } & Problem>('POST', `/api/v1/flows/${flowId}/runs`, body, headers)

describe('a program with a key', () => {
  it('lists connections, contacts by page, and reads a conversation, with nothing of the inside', async () => {
    const { contactId, number } = await newWriter()
    const connections = await program.ask<Page<object>>('GET', '/api/v1/connections')
    expect(connections.body.items).toEqual([{ id: connectionId, name: 'Loja', phone: shopNumber, isOpen: true }])
    for (let each = 0; each < 60; each++) await program.ask('POST', '/api/v1/contacts', { phone: newPhone().number })
    const found: PublicContact[] = []
    let cursor: string | null = null
    do {
      const path = `/api/v1/contacts${cursor === null ? '' : `?cursor=${encodeURIComponent(cursor)}`}`
      const page: { body: Page<PublicContact> } = await program.ask<Page<PublicContact>>('GET', path)
      found.push(...page.body.items)
      cursor = page.body.nextCursor
    } while (cursor !== null)
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length)
    expect(found.length).toBeGreaterThan(60)
    for (const search of [number.slice(-8), `(${number.slice(2, 4)}) ${number.slice(4)}`]) {
      const one = await program.ask<Page<PublicContact>>('POST', '/api/v1/contacts/search', { search })
      expect([one.status, one.body.items.map(({ id }) => id), one.body.nextCursor]).toEqual([200, [contactId], null])
    }
    const one = await program.ask<PublicContact>('GET', `/api/v1/contacts/${contactId}`)
    expect(one.body).toEqual({
      id: contactId,
      name: expect.stringMatching(/^Pessoa/),
      phone: number,
      status: 'waiting',
      connectionId,
      lastActivityAt: expect.any(String),
      waitingSince: expect.any(String),
    })
    const messages = await program.ask<Page<PublicMessage>>('GET', `/api/v1/contacts/${contactId}/messages`)
    expect(messages.body).toEqual({
      items: [
        {
          ...{ id: expect.any(String), contactId, connectionId, direction: 'in', author: 'contact', kind: 'text' },
          ...{ text: 'Meu pedido já saiu?', sentAt: expect.any(String), status: null, failure: null },
          ...{ quotedId: null, editedAt: null },
        },
      ],
      nextCursor: null,
    })
  }, 60_000)

  it('writes to a contact: it arrives once, and the conversation still waits for a person', async () => {
    const { contactId, phone } = await newWriter()
    const headers = { [idempotencyKeyHeader]: randomUUID() }
    const arrived = phone.nextMessage()
    const [first, second] = await Promise.all([1, 2].map(() => send({ contactId, text: 'Saiu às 9h.' }, headers)))
    const third = await send({ contactId, text: 'Saiu às 9h.' }, headers)
    expect(first?.body).toMatchObject({ contactId, connectionId, status: 'queued', isLineOpen: true })
    expect([second?.body, third.body]).toEqual([first?.body, first?.body])
    expect(third.headers.get(repliedBeforeHeader)).toBe('true')
    expect((await arrived).text).toBe('Saiu às 9h.')
    const sent = async () => (await tenant.messages(contactId)).filter(({ sender }) => sender === 'user')
    await until(async () => (await sent())[0]?.status === 'delivered')
    expect(await sent()).toMatchObject([{ content: 'Saiu às 9h.', isAutomatic: true, isProgram: true }])
    const contact = await tenant.get<{ serviceStatus: string; waitingSince: string | null; unreadCount: number }>(
      `/api/whatsapp/contacts/${contactId}`,
    )
    expect(contact).toMatchObject({ serviceStatus: 'waiting', waitingSince: expect.any(String), unreadCount: 1 })
    const { body } = await program.ask<Page<PublicMessage>>('GET', `/api/v1/contacts/${contactId}/messages`)
    expect(body.items.at(-1)).toMatchObject({ direction: 'out', author: 'program', status: 'delivered' })
    const other = await send({ contactId, text: 'Outro texto' }, headers)
    expect([other.status, other.body.type]).toEqual([422, 'idempotency_key_reused'])
  })

  it('takes the conversation over where it says so', async () => {
    const { contactId } = await newWriter()
    expect((await send({ contactId, text: 'Respondo eu.', accept: true })).status).toBe(202)
    const { body } = await program.ask<PublicContact>('GET', `/api/v1/contacts/${contactId}`)
    await until(async () => {
      const now = await program.ask<PublicContact>('GET', `/api/v1/contacts/${contactId}`)
      return now.body.status === 'attending'
    })
    expect(body.id).toBe(contactId)
  })

  it('writes to a new number, which becomes a contact, and not to one without WhatsApp', async () => {
    const { number, phone } = newPhone()
    const arrived = phone.nextMessage()
    const { body } = await send({ phone: number.slice(2), text: 'Seu cadastro foi feito.' })
    expect((await arrived).text).toBe('Seu cadastro foi feito.')
    const { body: contact } = await program.ask<PublicContact>('GET', `/api/v1/contacts/${body.contactId}`)
    expect(contact).toMatchObject({ phone: number, status: 'waiting' })
    const again = await program.ask<{ id: string }>('POST', '/api/v1/contacts', { phone: number })
    expect([again.status, again.body.id]).toEqual([201, body.contactId])
    const nobody = await send({ phone: '5511900009999', text: 'oi' })
    expect([nobody.status, nobody.body.type]).toEqual([422, 'number_not_on_whatsapp'])
  })

  it('starts a flow once, which speaks; another one not while this runs, and never what is off', async () => {
    const { contactId, phone } = await newWriter()
    const flowId = await newFlow('nunca', 'never')
    const { body } = await program.ask<Page<{ id: string }>>('GET', '/api/v1/flows')
    expect(body.items).toContainEqual({ id: flowId, name: 'Aviso', version: 1 })
    const headers = { [idempotencyKeyHeader]: randomUUID() }
    const arrived = phone.nextMessage()
    const [first, second] = await Promise.all([1, 2].map(() => start(flowId, { contactId }, headers)))
    expect([first?.status, second?.status]).toEqual([201, 201])
    expect(second?.body).toEqual(first?.body)
    expect((await arrived).text).toBe('Olá do fluxo.')
    const runs = await until(async () => {
      const found = await tenant.get<{ id: string }[]>(`/api/flows/${flowId}/runs`)
      return found.length > 0 && found
    })
    expect(runs.map(({ id }) => id)).toEqual([first?.body.id])
    const again = await start(flowId, { contactId })
    expect([again.status, again.body.type]).toEqual([409, 'flow_ran_recently'])
    await tenant.ask('PUT', `/api/flows/${flowId}/on`, { isOn: false })
    const off = await start(flowId, { contactId })
    expect([off.status, off.body.type]).toEqual([409, 'flow_turned_off'])
    await tenant.ask('PATCH', `/api/whatsapp/contacts/${contactId}/status`, { status: 'attending' })
    const attended = await start(await newFlow(), { contactId })
    expect([attended.status, attended.body.type]).toEqual([409, 'conversation_attended'])
  })

  it('stands in the history beside its holder, with what it used, and in the list of keys', async () => {
    const { id, key } = await newKey(tenant)
    const own = new Program(product.url, key)
    const flowId = await newFlow()
    const { contactId } = await newWriter()
    await own.ask('POST', `/api/v1/flows/${flowId}/runs`, { contactId })
    await own.ask('GET', '/api/v1/contacts')
    await own.ask('GET', '/api/v1/contacts')
    const ofKey: RecordedEvent[] = []
    for await (const { events } of product.ports.store.readAll(beginning, { categories: ['flowRun', 'streamExport'] }))
      ofKey.push(...events.filter(({ metadata }) => metadata.actor.keyId === id))
    const used = ofKey.filter(({ type }) => type === 'ApiKeyUsed').map(({ data }) => data.scope)
    expect(used).toEqual(['flows:start', 'contacts:read'])
    expect(ofKey.some(({ type }) => type === 'FlowRunStarted')).toBe(true)
    const admin = await product.visitor().register()
    await makeAdmin(product, admin)
    const texts = await until(async () => {
      const { id: user } = await tenant.get<{ id: string }>('/api/auth/user')
      const { body } = await admin.ask('GET', `/api/admin/history?record=user:${user}`)
      const text = JSON.stringify(body)
      return text.includes('ler os contatos') && text
    })
    expect(texts).toContain('Marina Alves (com a chave “Meu programa”) usou a API para ler os contatos')
    const list = async () => tenant.get<{ id: string; lastUsedAt: string | null }[]>('/api/keys')
    await until(async () => (await list()).some((each) => each.id === id && each.lastUsedAt !== null))
  }, 30_000)

  it('is told clearly what is wrong, whatever it sends, and nothing else happens', async () => {
    const { contactId } = await newWriter()
    const before = (await tenant.messages(contactId)).length
    const hostile: readonly [unknown, number][] = [
      [{}, 422],
      [{ contactId, text: '   ' }, 422],
      [{ contactId, text: 'x'.repeat(4097) }, 422],
      [{ contactId, text: 'a\0b' }, 400],
      [{ contactId, phone: '11988776655', text: 'oi' }, 422],
      [{ contactId: "' or 1=1 --", text: 'oi' }, 422],
      [{ phone: '123', text: 'oi' }, 422],
      [{ phone: { $ne: '' }, text: 'oi' }, 422],
      [{ contactId, text: 'oi', automatic: 'flow' }, 422],
      [{ contactId, text: 'oi', connectionId: randomUUID() }, 404],
      [{ contactId: randomUUID(), text: 'oi' }, 404],
      ['{"contactId":', 400],
      ['['.repeat(5000), 400],
      [{ contactId, text: 'x'.repeat(100_000) }, 413],
    ]
    for (const [body, status] of hostile) {
      const reply = await program.ask<Problem>('POST', '/api/v1/messages', body)
      expect([JSON.stringify(body).slice(0, 60), reply.status]).toEqual([JSON.stringify(body).slice(0, 60), status])
      expect(reply.body.title).toMatch(/\p{Lu}.*\.$/u)
      expect(reply.headers.get('content-type')).toMatch('application/problem+json')
    }
    expect((await tenant.messages(contactId)).length).toBe(before)
    for (const query of ['?cursor=x', '?cursor=eyJ9', '?status=outro', '?search=%00', `?search=${'x'.repeat(5000)}`])
      expect([query.slice(0, 20), (await program.ask('GET', `/api/v1/contacts${query}`)).status]).toEqual([
        query.slice(0, 20),
        422,
      ])
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as a hostile program writes
    const text = '<script>alert(1)</script> ${7*7} \u202e {{x}} %s'
    const { body } = await send({ contactId, text })
    const shown = async () => (await tenant.messages(contactId)).find(({ id }) => id === body.id)
    expect((await until(shown)).content).toBe(text)
  })

  it('says in each reply how many requests are left', async () => {
    const { headers } = await program.ask('GET', '/api/v1/flows')
    const [limit, left, reset] = ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`ratelimit-${name}`)))
    expect(limit).toBeGreaterThan(left ?? Number.NaN)
    expect(reset).toBeGreaterThan(0)
    expect(reset).toBeLessThanOrEqual(60)
  })
})

describe('two programs that answer each other', () => {
  it('stop at the limit of messages to one contact, each told to wait; people still answer', async () => {
    const other = await product.visitor().register()
    const otherNumber = '5511900000002'
    await other.link(product.whatsapp.addPhone(otherNumber, 'Outra loja'))
    const programs = [program, new Program(product.url, (await newKey(other)).key)] as const
    const texts = async (each: Program) => {
      const { body } = await each.ask<Page<PublicContact>>('GET', '/api/v1/contacts')
      const peer = body.items.find(({ phone }) => phone === shopNumber || phone === otherNumber)
      if (!peer) return { contactId: undefined, received: 0 }
      const found = await each.ask<Page<PublicMessage>>('GET', `/api/v1/contacts/${peer.id}/messages`)
      return { contactId: peer.id, received: found.body.items.filter(({ direction }) => direction === 'in').length }
    }
    await send({ phone: otherNumber, text: 'Bom dia! 0' })
    const refused: string[] = []
    const answered = [0, 0]
    for (let round = 1; refused.length === 0 && round < 40; round++) {
      const side = round % 2
      const each = programs[side as 0 | 1]
      const { contactId } = await until(async () => {
        const now = await texts(each)
        return now.received > (answered[side] ?? 0) && now
      })
      answered[side] = (answered[side] ?? 0) + 1
      const reply = await each.ask<Problem>('POST', '/api/v1/messages', { contactId, text: `Bom dia! ${round}` })
      if (reply.status !== 202) {
        refused.push(`${reply.status} ${reply.body.type}`)
        expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(500)
      }
    }
    expect(refused).toEqual(['429 too_many_messages_to_contact'])
    expect(Math.max(...answered)).toBeLessThanOrEqual(maxToContact + 1)
    const { contactId = '' } = await texts(program)
    expect((await tenant.send(connectionId, contactId, 'Aqui é a Marina.')).id).toMatch(/^3EB0/)
  }, 60_000)
})
