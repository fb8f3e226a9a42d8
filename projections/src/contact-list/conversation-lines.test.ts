import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { Contact, Message } from '@prosa/contracts/http/live-chat'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testProjections } from '../testing/test-projections.ts'
import { added, attendantId, contactLog, queued, received } from './testing/contact-events.ts'

describe('the line of a conversation', () => {
  let prosa: Awaited<ReturnType<typeof testProjections>>
  beforeAll(async () => {
    prosa = await testProjections({ now: () => at(9000) })
  })
  afterAll(() => prosa.stop())

  const append = async (tenant: string, stream: string, ...events: AnyEvent[]) => {
    let position = ''
    for (const event of events) position = await prosa.append(tenant, stream, event)
    return position
  }
  const { record, latest } = contactLog((...event) => prosa.append(...event))
  const linked = (phone: string): AnyEvent => ({ type: 'NumberLinked', data: { phone, lid: null, pushName: null } })
  const over = (connectionId: string, event: AnyEvent) =>
    ({ ...event, data: { ...event.data, connectionId } }) as AnyEvent

  const shop = async (name: string) => {
    const tenant = idOf(name)
    const [first, second, ana] = ['first', 'second', 'ana'].map((each) => idOf(`${name} ${each}`)) as [
      string,
      string,
      string,
    ]
    const connect = async (id: string, phone: string) =>
      append(tenant, `connection-${id}`, { type: 'ConnectionAdded', data: { name: 'Loja' } }, linked(phone))
    await connect(first, '551130000001')
    await connect(second, '551130000002')
    await record(
      tenant,
      ana,
      added('Ana', '5511988776655'),
      over(first, received('A', 'bolo de cenoura', at(-50))),
      over(second, received('B', 'bolo de milho', at(-40))),
    )
    const get = async <T>(path: string, position = latest()): Promise<T> =>
      (await prosa.get(`/api/whatsapp/${path}`, tenant, position)).body
    await until(
      async () => (await get<unknown[]>('connections')).length === 2 && (await get<Contact>(`contacts/${ana}`)).id,
    )
    const line = async (id = ana) => (await get<Contact>(`contacts/${id}`)).connectionId
    const names = async (query: string) => (await get<Contact[]>(`contacts?${query}`)).map((each) => each.name)
    return { tenant, first, second, ana, get, line, names, connect }
  }

  it('is shown with the contact and with each message', async () => {
    const { tenant, first, second, ana, get, line } = await shop('shown')
    expect(await line()).toBe(second)
    await record(tenant, ana, over(first, queued('C', 'temos')))
    expect(await line()).toBe(second)
    expect((await get<Contact[]>('contacts')).map((each) => each.connectionId)).toEqual([second])
    const messages = await get<Message[]>(`contacts/${ana}/messages`)
    expect(messages.map(({ id, connectionId }) => [id, connectionId])).toEqual([
      ['A', first],
      ['B', second],
      ['C', first],
    ])
    const data = { connectionId: first, attendantId, chosenAt: at(-10), lastReceivedAt: at(-40) }
    await record(tenant, ana, { type: 'LineChosen', data })
    expect(await line()).toBe(first)
    await record(tenant, ana, over(second, received('D', 'oi?', at(-5))))
    expect(await line()).toBe(second)
  })

  it('of a message that failed is the one over which it was tried again', async () => {
    const { tenant, first, second, ana, get } = await shop('again')
    await record(tenant, ana, over(first, queued('C', 'temos')), {
      type: 'MessageFailed',
      data: { messageId: 'C', code: '463' },
    })
    const again = over(second, queued('C', 'temos'))
    await record(tenant, ana, { ...again, data: { ...again.data, isRetry: true } } as AnyEvent)
    const messages = await get<Message[]>(`contacts/${ana}/messages`)
    expect(messages.map(({ connectionId }) => connectionId)).toEqual([first, second, second])
  })

  it('filters lists, counts, whoever waits longest, and the search in messages', async () => {
    const { tenant, first, second, get, names } = await shop('filtered')
    const bia = idOf('filtered bia')
    await record(tenant, bia, added('Bia', null), over(first, received('E', 'bolo de fubá', at(-60))))
    await record(tenant, idOf('filtered caio'), added('Caio', null, 'attendant'))
    expect(await names(`connectionId=${first}`)).toEqual(['Bia'])
    expect(await names(`connectionId=${second}&status=waiting`)).toEqual(['Ana'])
    expect(await names(`connectionId=${second}&status=resolved`)).toEqual([])
    expect(await names(`connectionId=${first}&search=ana`)).toEqual([])
    expect(await names(`connectionId=${idOf('nobody')}`)).toEqual([])
    expect(await get(`contact-counts?connectionId=${first}`)).toEqual({
      waiting: 1,
      asked: 0,
      bot: 0,
      attending: 0,
      resolved: 0,
    })
    expect(await get('contact-counts')).toMatchObject({ waiting: 3 })
    expect(await get(`longest-waiting?connectionId=${second}`)).toMatchObject({ contact: { name: 'Ana' } })
    const found = async (query: string) =>
      (await get<{ messageId: string }[]>(`search?q=bolo${query}`)).map(({ messageId }) => messageId)
    expect(await found('')).toEqual(['E', 'B', 'A'])
    expect(await found(`&connectionId=${first}`)).toEqual(['E', 'A'])
    expect(await found(`&connectionId=${second}`)).toEqual(['B'])
    expect(await found(`&connectionId=${first}&contactId=${bia}`)).toEqual(['E'])
    expect((await prosa.get('/api/whatsapp/contacts?connectionId=x', tenant, latest())).status).toBe(422)
  })

  it('falls back where its number is removed, and goes on where the same number is linked again', async () => {
    const { tenant, first, second, ana, get, line, names, connect } = await shop('removed')
    const remove = (id: string) => append(tenant, `connection-${id}`, { type: 'ConnectionRemoved', data: {} })
    await get('connections', await remove(second))
    expect(await line()).toBe(first)
    expect(await names(`connectionId=${first}`)).toEqual(['Ana'])
    const again = idOf('removed again')
    await get('connections', await connect(again, '551130000002'))
    expect(await line()).toBe(again)
    expect(await names(`connectionId=${again}`)).toEqual(['Ana'])
    expect(await names(`connectionId=${first}`)).toEqual([])
    expect(await get<unknown[]>(`search?q=milho&connectionId=${again}`)).toHaveLength(1)
    await get('connections', await remove(first))
    await get('connections', await remove(again))
    expect(await line(ana)).toBeNull()
    expect(await get<unknown[]>('connections')).toEqual([])
  })

  it('needs of a removed connection its numbers only, and nothing of an account that was erased', async () => {
    const { tenant, first, get } = await shop('forgotten')
    const removed = await append(tenant, `connection-${first}`, { type: 'ConnectionRemoved', data: {} })
    await get('connections', removed)
    const stored = async () => {
      const { rows } = await prosa.ports.pool.query(
        'select name, phone from connection where owner = $1 order by name',
        [tenant],
      )
      return rows
    }
    expect(await stored()).toEqual([
      { name: '', phone: null },
      { name: 'Loja', phone: '551130000002' },
    ])
    const erased = await append(tenant, `user-${tenant}`, { type: 'UserErased', data: {} })
    await get('connections', erased)
    expect(await stored()).toEqual([])
  })

  it('is nobody’s where its connection has another number since', async () => {
    const { tenant, first, second, line, get } = await shop('renumbered')
    const renumbered = await append(tenant, `connection-${second}`, linked('551130000009'))
    await get('connections', renumbered)
    expect(await line()).toBe(first)
  })

  it('is the later one of two contacts that are one person, and each has its own once they are separated', async () => {
    const { tenant, first, second, ana, line, names } = await shop('merged')
    const other = idOf('merged other')
    await record(tenant, other, added('Ana Lima', null), over(first, received('F', 'sou eu', at(-30))))
    await record(tenant, ana, { type: 'ContactMerged', data: { absorbed: other } })
    await record(tenant, other, { type: 'ContactAbsorbed', data: { into: ana } })
    expect([await line(), await line(other)]).toEqual([first, first])
    expect(await names(`connectionId=${first}`)).toEqual(['Ana'])
    await record(tenant, ana, { type: 'ContactSeparated', data: { restored: other } })
    await record(tenant, other, { type: 'ContactRestored', data: { from: ana } })
    expect([await line(), await line(other)]).toEqual([second, first])
  })

  it('goes with an erased contact', async () => {
    const { tenant, ana, get, names, second } = await shop('erased')
    await record(tenant, ana, { type: 'ContactErased', data: {} })
    expect(await names(`connectionId=${second}`)).toEqual([])
    expect(await get(`contact-counts?connectionId=${second}`)).toEqual({
      waiting: 0,
      asked: 0,
      bot: 0,
      attending: 0,
      resolved: 0,
    })
  })
})
