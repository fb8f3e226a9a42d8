import { randomUUID } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { Dashboard } from '@prosa/contracts/http/dashboard'
import { daysAfter } from '@prosa/contracts/values/time/period'
import { idOf } from '@prosa/kernel/consumers/testing/test-log'
import { beginning, type Position } from '@prosa/kernel/event-store/port'
import { shortOrLong } from '@prosa/kernel/testing/long-form'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { streamOf } from '../testing/one-of-each-event.ts'
import { testProjections } from '../testing/test-projections.ts'
import { randomDays } from './testing/random-days.ts'
import { recount } from './testing/recount.ts'

let now = '2026-11-22T12:00:00.000Z'
let prosa: Awaited<ReturnType<typeof testProjections>>
const lengths = new Map<string, bigint>()

interface Happened {
  tenant: string
  stream: string
  at: string
  cause?: string
}

const record = async ({ tenant, stream, at, cause = randomUUID() }: Happened, ...events: AnyEvent[]) => {
  const { store, codec } = prosa.ports
  const length = lengths.get(stream) ?? 0n
  lengths.set(stream, length + BigInt(events.length))
  const actor = { kind: 'system', id: 'test' } as const
  const metadata = { causationId: cause, correlationId: cause, actor, tenant, recordedAt: at }
  const encoded = await codec.encode(events.map((event) => ({ id: randomUUID(), stream, event, metadata })))
  const appended = await store.append(stream, length === 0n ? 'no_stream' : length - 1n, encoded)
  if (!appended.ok) throw new Error(`${stream} is not where the test left it`)
  return appended.position
}

beforeAll(async () => {
  prosa = await testProjections({ now: () => now })
})
afterAll(() => prosa.stop())

const attendantId = idOf('attendant')
const text = { kind: 'text', text: 'Vocês abrem domingo?' } as const
const line = { connectionId: idOf('line'), content: text }
const added: AnyEvent = { type: 'ContactAdded', data: { name: 'Zé', phone: null, lid: null, origin: 'message' } }
const accepted: AnyEvent = { type: 'ConversationAccepted', data: { attendantId } }
const resolved: AnyEvent = { type: 'ConversationResolved', data: { attendantId } }
const reopened: AnyEvent = { type: 'ConversationReopened', data: {} }

const opened = (timeZone: string): AnyEvent => ({
  type: 'OpeningHoursSet',
  data: { timeZone, week: [[], [], [], [], [], [], []], holidays: [] },
})

const minute = (minutes: number) => new Date(Date.UTC(2026, 10, 22, 11, minutes)).toISOString()

const read = async (tenant: string, position: string, period = 'from=2026-11-22&to=2026-11-22') =>
  (await prosa.get(`/api/dashboard?${period}`, tenant, position)).body as Dashboard

it('the dashboard equals a recount of the log, whichever period of a hundred days is asked for', async () => {
  const periods = fc.array(fc.tuple(fc.integer({ min: -3, max: 105 }), fc.integer({ min: 1, max: 60 })), {
    minLength: 5,
    maxLength: 5,
  })
  const holds = fc.asyncProperty(randomDays(100), periods, async (log, asked) => {
    let end: Position = beginning
    for (const { tenant, contactId, at, event } of log)
      end = await record({ tenant, stream: streamOf(contactId, event), at }, event)
    await prosa.ports.readModels.reached(['hourly-activity', 'conversation-waits'], end, 20_000)
    for (const tenant of new Set(log.map((each) => each.tenant)))
      for (const [start, length] of asked) {
        const [from, to] = [daysAfter('2026-01-01', start), daysAfter('2026-01-01', start + length)]
        const { days, hours, total, before } = await read(tenant, end, `from=${from}&to=${to}`)
        expect(total).toEqual(recount(log, tenant, from, to))
        expect(before).toEqual(recount(log, tenant, daysAfter(from, -length - 1), daysAfter(from, -1)))
        expect(days.map(({ day }) => day)).toEqual(days.map((_, index) => daysAfter(from, index)))
        for (const { day, ...counts } of days) expect(counts).toEqual(recount(log, tenant, day, day))
        expect(hours).toBe(null)
        const one = await read(tenant, end, `from=${from}&to=${from}`)
        expect(one.days).toEqual(days.slice(0, 1))
        expect(one.hours?.map(({ hour }) => hour)).toEqual(Array.from({ length: 24 }, (_, hour) => hour))
        for (const { hour, ...counts } of one.hours ?? [])
          expect(counts).toEqual(recount(log, tenant, from, from, hour))
      }
  })
  await fc.assert(holds, { numRuns: shortOrLong(1, 10) })
})

describe('the waiting until somebody accepts', () => {
  it('of two contacts that are one person is that of whoever waited longer, and both are one contact', async () => {
    const [tenant, older, younger] = [randomUUID(), randomUUID(), randomUUID()]
    await record({ tenant, stream: `contact-${older}`, at: minute(0) }, added)
    await record({ tenant, stream: `contact-${older}`, at: minute(1) }, accepted)
    await record({ tenant, stream: `contact-${older}`, at: minute(2) }, resolved)
    await record({ tenant, stream: `contact-${younger}`, at: minute(10) }, added)
    const cause = 'merge'
    await record(
      { tenant, stream: `contact-${younger}`, at: minute(20), cause },
      { type: 'ContactAbsorbed', data: { into: older } },
    )
    const merged: AnyEvent = { type: 'ContactMerged', data: { absorbed: younger } }
    await record({ tenant, stream: `contact-${older}`, at: minute(20), cause }, merged, reopened)
    const end = await record({ tenant, stream: `contact-${older}`, at: minute(30) }, accepted)
    expect((await read(tenant, end)).total).toMatchObject({
      contacts: 1,
      accepted: 2,
      medianWaitSeconds: (60 + 1200) / 2,
    })
  })

  it('does not count again when a contact that is attended is merged, and the other one with it', async () => {
    const [tenant, older, younger] = [randomUUID(), randomUUID(), randomUUID()]
    await record({ tenant, stream: `contact-${older}`, at: minute(0) }, {
      ...added,
      data: { ...added.data, origin: 'phone' },
    } as AnyEvent)
    await record({ tenant, stream: `contact-${younger}`, at: minute(10) }, added)
    await record({ tenant, stream: `contact-${younger}`, at: minute(15) }, accepted)
    const cause = 'merge'
    await record(
      { tenant, stream: `contact-${younger}`, at: minute(20), cause },
      { type: 'ContactAbsorbed', data: { into: older } },
    )
    const merged: AnyEvent = { type: 'ContactMerged', data: { absorbed: younger } }
    const end = await record({ tenant, stream: `contact-${older}`, at: minute(20), cause }, merged, reopened, accepted)
    expect((await read(tenant, end)).total).toMatchObject({ contacts: 1, accepted: 1, medianWaitSeconds: 300 })
  })

  it('stays as it was when a contact is erased, and goes with the account', async () => {
    const [tenant, id] = [randomUUID(), randomUUID()]
    await record({ tenant, stream: `contact-${id}`, at: minute(0) }, added)
    await record(
      { tenant, stream: `chat-${id}`, at: minute(0) },
      { type: 'MessageReceived', data: { ...line, messageId: 'M', sentAt: minute(0) } },
    )
    await record({ tenant, stream: `contact-${id}`, at: minute(5) }, accepted)
    const erased = await record({ tenant, stream: `contact-${id}`, at: minute(6) }, { type: 'ContactErased', data: {} })
    const { total, now: current } = await read(tenant, erased)
    expect(total).toMatchObject({ received: 1, contacts: 1, accepted: 1, medianWaitSeconds: 300 })
    expect(current.contacts).toBe(0)
    const end = await record({ tenant, stream: `user-${tenant}`, at: minute(7) }, { type: 'UserErased', data: {} })
    await prosa.ports.readModels.reached(['hourly-activity', 'conversation-waits'], end, 5000)
    for (const table of ['hourly_activity', 'conversation_wait'])
      expect((await prosa.ports.pool.query(`select from ${table} where owner = $1`, [tenant])).rowCount).toBe(0)
  })
})

describe('GET /api/dashboard', () => {
  it('asks visitors to sign in', async () => expect((await prosa.get('/api/dashboard')).status).toBe(401))

  it('without dates is about the last seven days in São Paulo, and moves with the clock', async () => {
    const tenant = randomUUID()
    const first = await prosa.get('/api/dashboard', tenant)
    expect(first.body).toMatchObject({ from: '2026-11-16', to: '2026-11-22', timeZone: 'America/Sao_Paulo' })
    expect(first.body.days).toHaveLength(7)
    expect(first.body.now).toEqual({ waiting: 0, bot: 0, attending: 0, resolved: 0, contacts: 0, resolutionPercent: 0 })
    const again = () => prosa.get('/api/dashboard', tenant, undefined, { 'if-none-match': String(first.headers.etag) })
    expect((await again()).status).toBe(304)
    now = '2026-11-23T02:59:00.000Z'
    expect((await again()).body).toMatchObject({ to: '2026-11-22' })
    now = '2026-11-23T03:00:00.000Z'
    expect((await again()).body).toMatchObject({ from: '2026-11-17', to: '2026-11-23' })
    now = '2026-11-22T12:00:00.000Z'
  })

  it.each([
    ['1', '2026-11-22', '2026-11-22'],
    ['7', '2026-11-16', '2026-11-22'],
    ['30', '2026-10-24', '2026-11-22'],
  ])('is about the last %s days, which end today and move with the clock', async (days, from, to) => {
    const tenant = randomUUID()
    const first = await prosa.get(`/api/dashboard?days=${days}`, tenant)
    expect(first.body).toMatchObject({ from, to })
    expect(first.body.days).toHaveLength(Number(days))
    // It is 9:00 in São Paulo.
    expect(first.body.hours?.length ?? null).toBe(days === '1' ? 10 : null)
    now = '2026-11-23T03:00:00.000Z'
    const tag = { 'if-none-match': String(first.headers.etag) }
    expect((await prosa.get(`/api/dashboard?days=${days}`, tenant, undefined, tag)).body).toMatchObject({
      from: daysAfter(from, 1),
      to: '2026-11-23',
    })
    now = '2026-11-22T12:00:00.000Z'
  })

  it("follows the business's own time zone: its today, its hours, also once it moves", async () => {
    const [tenant, id] = [randomUUID(), randomUUID()]
    const at = '2026-11-22T03:30:00.000Z'
    const received: AnyEvent = { type: 'MessageReceived', data: { ...line, messageId: 'M', sentAt: at } }
    await record({ tenant, stream: `contact-${id}`, at }, added)
    const wrote = await record({ tenant, stream: `chat-${id}`, at }, received)
    const inHour = async (position: string) => {
      const { from, timeZone, total, hours } = await read(tenant, position, 'days=1')
      return { from, timeZone, received: total.received, at: hours?.findIndex((hour) => hour.received > 0) }
    }
    expect(await inHour(wrote)).toEqual({ from: '2026-11-22', timeZone: 'America/Sao_Paulo', received: 1, at: 0 })
    const moved = await record({ tenant, stream: `openingHours-${tenant}`, at }, opened('America/Manaus'))
    expect(await inHour(moved)).toEqual({ from: '2026-11-22', timeZone: 'America/Manaus', received: 0, at: -1 })
    const { hours } = await read(tenant, moved, 'from=2026-11-21&to=2026-11-21')
    expect(hours?.[23]?.received).toBe(1)
  })

  it('states how many of all contacts are resolved, in whole percent', async () => {
    const tenant = randomUUID()
    let end = ''
    for (const index of [0, 1, 2]) {
      const stream = `contact-${randomUUID()}`
      const turns = index === 0 ? [accepted] : [accepted, resolved]
      end = await record({ tenant, stream, at: minute(index) }, added, ...turns)
    }
    expect((await read(tenant, end)).now).toEqual({
      ...{ waiting: 0, bot: 0, attending: 1, resolved: 2 },
      ...{ contacts: 3, resolutionPercent: 67 },
    })
  })

  it.each([
    ['from=2026-11-22&to=2026-11-16', 'to', 'A data final vem antes da inicial.'],
    ['from=2025-11-21&to=2026-11-22', 'to', 'O período pode ter no máximo 366 dias.'],
    ['from=ontem&to=2026-11-22', 'from', 'Informe uma data válida.'],
    ['from=2026-02-30&to=2026-11-22', 'from', 'Informe uma data válida.'],
    ['from=9999-12-31&to=9999-12-31', 'from', 'Informe uma data válida.'],
    ['from=2026-11-16&from=2026-11-17&to=2026-11-22', 'from', 'Informe uma data válida.'],
    ['from=&to=2026-11-22', 'from', 'Informe uma data válida.'],
    ['from=2026-11-22', 'to', 'Informe a data final.'],
    ['to=2026-11-22', 'from', 'Informe a data inicial.'],
    ['days=0', 'days', 'Escolha 1, 7 ou 30 dias.'],
    ['days=366', 'days', 'Escolha 1, 7 ou 30 dias.'],
    ['days=7&days=30', 'days', 'Escolha 1, 7 ou 30 dias.'],
    ['from=2026-11-16&to=2026-11-22&days=7', 'days', 'Informe as datas ou os dias, não os dois.'],
  ])('refuses %s at the field', async (period, field, message) => {
    const { status, body } = await prosa.get(`/api/dashboard?${period}`, randomUUID())
    expect([status, body.errors]).toEqual([422, expect.arrayContaining([{ field, message }])])
  })

  it('takes a whole leap year', async () => {
    const { status, body } = await prosa.get('/api/dashboard?from=2028-01-01&to=2028-12-31', randomUUID())
    expect([status, body.days.length]).toEqual([200, 366])
  })
})

describe('the arrays of the dashboard', () => {
  it('are the messages of the last 24 hours, of all contacts, the latest first', async () => {
    const [tenant, one, other, absorbed] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
    const message = (messageId: string, sentAt: string): AnyEvent => ({
      type: 'MessageReceived',
      data: { ...line, messageId, sentAt },
    })
    const wrote = async (id: string, messageId: string, at: string) => {
      if (!lengths.has(`contact-${id}`)) await record({ tenant, stream: `contact-${id}`, at }, added)
      return record({ tenant, stream: `chat-${id}`, at }, message(messageId, at))
    }
    await wrote(one, 'OLD', '2026-11-21T11:59:59.000Z')
    await wrote(absorbed, 'HIDDEN', '2026-11-21T12:00:00.000Z')
    await record(
      { tenant, stream: `contact-${absorbed}`, at: minute(0) },
      { type: 'ContactAbsorbed', data: { into: one } },
    )
    await wrote(one, 'A', minute(1))
    await wrote(other, 'B', minute(2))
    const deletion: AnyEvent = { type: 'MessageDeleted', data: { messageId: 'B', by: 'contact', deletedAt: minute(3) } }
    const end = await record({ tenant, stream: `chat-${other}`, at: minute(3) }, deletion)
    const { body } = await prosa.get('/api/whatsapp-messages', tenant, end)
    expect(body.map(({ id, contactId, kind }: Record<string, string>) => [id, contactId, kind])).toEqual([
      ['B', other, 'deleted'],
      ['A', one, 'text'],
      ['HIDDEN', absorbed, 'text'],
    ])
    expect((await prosa.get('/api/whatsapp-contacts', tenant, end)).body.map(({ id }: { id: string }) => id)).toEqual([
      other,
      one,
    ])
    expect((await prosa.get('/api/whatsapp-messages', randomUUID(), end)).body).toEqual([])
  })

  it('go on where a page ends, and hold every message and contact once', async () => {
    const tenant = randomUUID()
    let end = ''
    for (let index = 0; index < 120; index++) {
      const id = randomUUID()
      await record({ tenant, stream: `contact-${id}`, at: minute(index) }, added)
      end = await record(
        { tenant, stream: `chat-${id}`, at: minute(index) },
        { type: 'MessageReceived', data: { ...line, messageId: `M${index}`, sentAt: minute(index) } },
      )
    }
    for (const path of ['/api/whatsapp-messages', '/api/whatsapp-contacts']) {
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const { body, headers } = await prosa.get(cursor ? `${path}?cursor=${cursor}` : path, tenant, end)
        seen.push(...body.map(({ id }: { id: string }) => id))
        cursor = headers['prosa-next-cursor'] as string | undefined
      } while (cursor)
      expect([path, seen.length, new Set(seen).size]).toEqual([path, 120, 120])
    }
  })
})
