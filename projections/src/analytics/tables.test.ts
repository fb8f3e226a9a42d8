import { randomUUID } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { PublishedTableShown } from '@prosa/contracts/http/streams'
import { publishedTables, type TableName, tableNames } from '@prosa/contracts/published/tables/all-tables'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { analyticProduct, type Row, rowsIn } from './testing/analytic-product.ts'
import { type DrawnConversation, drawHistory, groupsOf, type Happened, planted } from './testing/drawn-history.ts'

const clock = { now: '2027-02-01T12:00:00.000Z' }
const lia = randomUUID()
const history = drawHistory(20_261_127, { contacts: 60, accounts: 12 })
const [ana = '', bia = ''] = history.shops.map(({ tenant }) => tenant)
let product: Awaited<ReturnType<typeof analyticProduct>>
let [hers, personal, all] = ['', '', '']

beforeAll(async () => {
  product = await analyticProduct(clock)
  for (const user of [ana, bia]) await product.register(user, Date.parse('2026-08-01'))
  await product.registerAnalyst(lia, Date.parse('2026-08-01'))
  for (const each of history.happened) await product.record(each)
  await product.reached()
  hers = await product.keyOf(ana)
  personal = await product.keyOf(ana, { withPersonal: true })
  all = await product.analystKeyOf(lia)
}, 120_000)
afterAll(() => product?.stop())

const instant = (at: number | null) => (at === null ? null : new Date(at).toISOString())
const secondsOf = (from: number, to: number | null) => (to === null ? null : Math.round((to - from) / 1000))

/** As the table has it, from what was drawn. */
const expected = (drawn: DrawnConversation): Row => ({
  contactId: drawn.contactId,
  connectionId: drawn.connectionId,
  number: drawn.number,
  status: drawn.resolvedAt !== null ? 'resolved' : drawn.acceptedAt !== null ? 'attending' : 'waiting',
  openedAt: instant(drawn.openedAt),
  openedBy: 'contact',
  firstMessageAt: instant(drawn.openedAt),
  firstAnswerAt: instant(drawn.firstAnswerAt),
  firstAnswerBy: drawn.firstAnswerBy,
  firstAnswerSeconds: secondsOf(drawn.openedAt, drawn.firstAnswerAt),
  firstPersonAnswerSeconds: secondsOf(drawn.openedAt, drawn.firstPersonAnswerAt),
  acceptedAt: instant(drawn.acceptedAt),
  waitSeconds: secondsOf(drawn.openedAt, drawn.acceptedAt),
  resolvedAt: instant(drawn.resolvedAt),
  durationSeconds: secondsOf(drawn.openedAt, drawn.resolvedAt),
  reopenedAt: instant(drawn.reopenedAt),
  received: drawn.received,
  sentByPerson: drawn.sentByPerson,
  sentByRule: drawn.sentByRule,
})

const by = (rows: readonly Row[], ...columns: string[]) =>
  rows.toSorted((one, other) => {
    const [a, b] = [one, other].map((row) => columns.map((column) => String(row[column])).join(' '))
    return (a ?? '') < (b ?? '') ? -1 : 1
  })

let minutes = 0
/** Later than the drawn history. */
const later = async (tenant: string, stream: string, event: AnyEvent, cause: string = randomUUID()) => {
  const happened: Happened = { tenant, stream, event, cause, at: Date.parse('2027-01-20') + minutes++ * 60_000 }
  await product.record(happened)
  return new Date(happened.at).toISOString()
}
const connectionId = history.shops[0]?.connections[0] ?? ''
const received = (messageId: string): AnyEvent => ({
  type: 'MessageReceived',
  data: { messageId, connectionId, content: { kind: 'text', text: planted }, sentAt: '2027-01-20T00:00:00.000Z' },
})
const newContact = async (tenant = ana) => {
  const id = randomUUID()
  await later(tenant, `contact-${id}`, {
    type: 'ContactAdded',
    data: { name: planted, phone: '5511988776655', lid: null, origin: 'message' },
  })
  await later(tenant, `chat-${id}`, received('M'))
  return id
}

describe('the table of conversations', () => {
  it('is what was drawn, conversation by conversation, for the tenant', async () => {
    const { rows } = await product.read(personal, 'conversations')
    const drawn = history.conversations.filter(({ tenant }) => tenant === ana).map(expected)
    const named = Object.keys(drawn[0] ?? {})
    const found = rows.map((row) => Object.fromEntries(named.map((name) => [name, row[name]])))
    expect(by(found, 'contactId', 'number')).toEqual(by(drawn, 'contactId', 'number'))
    expect(drawn.length).toBeGreaterThan(30)
    for (const row of rows) expect(row.contactName).toBe(planted)
  })

  it('follows a merge: waits from the first message of both, and rows go with the contact that stays, and back', async () => {
    const [older, younger] = [await newContact(), await newContact()]
    await later(ana, `contact-${older}`, { type: 'ConversationResolved', data: { attendantId: ana } })
    const cause = randomUUID()
    await later(ana, `contact-${younger}`, { type: 'ContactAbsorbed', data: { into: older } }, cause)
    await later(ana, `contact-${older}`, { type: 'ContactMerged', data: { absorbed: younger } }, cause)
    await later(ana, `contact-${older}`, { type: 'ConversationReopened', data: {} }, cause)
    await later(ana, `contact-${older}`, { type: 'ConversationAccepted', data: { attendantId: ana } })
    await product.reached()
    const conversationsOf = async (...contacts: string[]) =>
      by(
        (await product.read(personal, 'conversations')).rows.filter((row) => contacts.includes(String(row.contactId))),
        'openedAt',
        'status',
      )
    const merged = await conversationsOf(older, younger)
    expect(merged.map(({ contactId, status }) => [contactId, status])).toEqual([
      [older, 'resolved'],
      [older, 'attending'],
      [older, 'merged'],
    ])
    // Four minutes of absorbing, merging, reopening and accepting after its only message.
    expect(merged[1]).toMatchObject({ openedAt: merged[2]?.openedAt, firstMessageAt: merged[2]?.firstMessageAt })
    expect(merged[1]?.waitSeconds).toBe(5 * 60)
    const messages = (await product.read(personal, 'messages')).rows.filter(({ chatId }) => chatId === younger)
    expect(messages.map(({ contactId }) => contactId)).toEqual([older])

    await later(ana, `contact-${older}`, { type: 'ContactSeparated', data: { restored: younger } })
    await later(ana, `contact-${younger}`, { type: 'ContactRestored', data: { from: older } })
    await product.reached()
    expect((await conversationsOf(younger)).map(({ status }) => status)).toEqual(['waiting'])
  })
})

describe('the table of messages', () => {
  it('has each message once, with its latest tick, and its text only for a key that asked for it', async () => {
    const { rows } = await product.read(personal, 'messages')
    const written = history.happened.filter(
      ({ tenant, event: { type } }) =>
        tenant === ana && ['MessageReceived', 'MessageQueued', 'MessageSentElsewhere'].includes(type),
    )
    const drawnIds = new Set(written.map(({ event }) => 'messageId' in event.data && event.data.messageId))
    const drawn = rows.filter(({ id }) => drawnIds.has(String(id)))
    expect(drawn).toHaveLength(written.length)
    for (const { event, stream } of written) {
      const { messageId, content } = event.data as { messageId: string; content: { text: string } }
      const row = drawn.find(({ id }) => id === messageId)
      expect(row).toMatchObject({ text: content.text, characters: content.text.length, kind: 'text' })
      const ticks = history.happened.filter(
        (each) => each.stream === stream && 'messageId' in each.event.data && each.event.data.messageId === messageId,
      )
      const last = {
        MessageReceived: 'received',
        MessageQueued: 'queued',
        MessageSentElsewhere: 'sent',
        MessageSent: 'sent',
        MessageDelivered: 'delivered',
        MessageRead: 'read',
      }
      expect(row?.status).toBe(last[(ticks.at(-1)?.event.type ?? '') as keyof typeof last])
    }
    expect((await product.read(hers, 'messages')).rows.every((row) => !('text' in row))).toBe(true)
  })

  it('keeps of an erased person that they wrote, not what or how much', async () => {
    const id = await newContact()
    await product.reached()
    const of = async () => (await product.read(personal, 'messages')).rows.filter(({ chatId }) => chatId === id)
    expect(await of()).toMatchObject([{ kind: 'text', text: planted }])
    const { position } = await product.read(personal, 'messages')
    await later(ana, `chat-${id}`, { type: 'ChatErased', data: {} })
    const at = await later(ana, `contact-${id}`, { type: 'ContactErased', data: {} })
    await product.reached()
    await product.prosa.ports.readModels.reached(
      ['chat-messages', 'contact-list'],
      product.prosa.ports.readModels.position('analytic-messages') ?? ('' as never),
      5000,
    )
    expect(await of()).toMatchObject([{ kind: 'erased', characters: null, text: null, author: 'contact' }])
    // Whoever reads on learns of it.
    expect((await product.read(personal, 'messages', `?after=${position}`)).rows).toHaveLength(1)
    const [row] = (await product.read(personal, 'conversations')).rows.filter(({ contactId }) => contactId === id)
    expect(row).toMatchObject({ status: 'erased', resolvedAt: at, contactName: null, contactPhone: null })
  })
})

describe('the table of subscriptions', () => {
  it('has a row for the trial and one for the paid time that followed', async () => {
    const { rows } = await product.read(all, 'subscriptions')
    const tenants = groupsOf(rows, ({ tenant }) => tenant)
    expect(tenants).toHaveLength(history.accounts.length)
    const shown = tenants.map(([, periods]) =>
      by(periods, 'number').map(({ kind, startedAt, endedAt, endReason, payments, cancelledAt }) => [
        ...[kind, startedAt, endedAt, endReason, payments],
        cancelledAt !== null,
      ]),
    )
    const drawn = history.accounts.map(({ trialFrom, paidUntil, isCancelled }) => {
      const trialEnd = trialFrom + 10 * 86_400_000
      const paidFrom = (paidUntil[0] ?? 0) - 30 * 86_400_000
      const trial =
        paidUntil.length === 0
          ? ['trial', instant(trialFrom), instant(trialEnd), 'expired', 0, false]
          : ['trial', instant(trialFrom), instant(paidFrom), 'converted', 0, false]
      const paid = ['paid', instant(paidFrom), instant(paidUntil.at(-1) ?? 0), 'expired', paidUntil.length, isCancelled]
      return paidUntil.length === 0 ? [trial] : [trial, paid]
    })
    const sorted = (all: unknown[]) => all.map((each) => JSON.stringify(each)).sort()
    expect(sorted(shown)).toEqual(sorted(drawn))
  })
})

describe('every table', () => {
  it('holds nothing of a person or an account for whoever is not the tenant, and the pseudonyms of the events', async () => {
    const events = rowsIn((await product.ask(all, '/api/streams/events')).body)
    const ids = new Set(events.flatMap(({ data, tenant }) => [tenant, ...Object.values(data as Row)]))
    const known = [...history.shops, ...history.conversations].flatMap((each) => Object.values(each).flat())
    const plain = known.filter((value): value is string => typeof value === 'string' && value.length === 36)
    for (const table of tableNames) {
      for (const key of [all, hers]) {
        const { text } = await product.read(key, table)
        for (const secret of [planted, '5511988776655', ...plain]) expect(text.includes(secret), table).toBe(false)
      }
      for (const row of (await product.read(all, table)).rows)
        for (const { name, pseudonymOf } of publishedTables[table].columns)
          if (pseudonymOf && row[name] !== null) expect(ids, `${table}.${name}`).toContain(row[name])
    }
  })

  it('is of all tenants for an analyst, of one that is named, and of the own one for a subscriber', async () => {
    const { rows } = await product.read(all, 'conversations')
    const tenants = [...new Set(rows.map(({ tenant }) => String(tenant)))]
    expect(tenants).toHaveLength(2)
    const [one = ''] = tenants
    const ofOne = (await product.read(all, 'conversations', `?tenant=${one}`)).rows
    expect(ofOne).toEqual(rows.filter(({ tenant }) => tenant === one))
    const own = (await product.read(hers, 'conversations')).rows
    expect(new Set(own.map(({ tenant }) => tenant)).size).toBe(1)
    const foreign = tenants.find((tenant) => tenant !== own[0]?.tenant)
    expect((await product.read(hers, 'conversations', `?tenant=${foreign}`)).rows).toEqual([])
  })

  it('fits its schema and what the catalogue says of each column', async () => {
    const catalogue: PublishedTableShown[] = (await product.prosa.app.inject({ url: '/api/streams/tables' })).json()
    expect(catalogue.map(({ name }) => name)).toEqual(tableNames)
    for (const { name, columns, key } of catalogue) {
      for (const token of [hers, personal, all]) {
        const { rows } = await product.read(token, name as TableName)
        for (const row of rows) {
          expect(publishedTables[name as TableName].schema.strict().safeParse(row).error).toBeUndefined()
          const nulls = columns.filter((column) => row[column.name] === null && !column.isNullable)
          expect(nulls).toEqual([])
        }
        expect(new Set(rows.map((row) => JSON.stringify(key.map((column) => row[column])))).size).toBe(rows.length)
      }
      for (const { sentence, from } of columns)
        expect([sentence, from.length > 0]).toEqual([expect.stringMatching(/\w.*[.).]$|\w/), true])
    }
  })

  it('gives after a position what changed since, and with it all that there is', async () => {
    for (const table of tableNames) {
      const before = await product.read(all, table)
      const nothing = await product.read(all, table, `?after=${before.position}`)
      // Days of connections go on with the clock.
      if (table !== 'connections') expect(nothing.rows).toEqual([])
      const id = await newContact(bia)
      await later(bia, `connection-${id}`, { type: 'ConnectionAdded', data: { name: planted } })
      await later(bia, `connection-${id}`, { type: 'LineOpened', data: {} })
      await later(id, `subscription-${id}`, { type: 'TrialStarted', data: { endsAt: clock.now } })
      await product.reached()
      const key = publishedTables[table].key as readonly string[]
      const keyOf = (row: Row) => JSON.stringify(key.map((column) => row[column]))
      const since = await product.read(all, table, `?after=${before.position}`)
      expect(since.rows.length, table).toBeGreaterThan(0)
      const merged = new Map([...before.rows, ...since.rows].map((row) => [keyOf(row), row]))
      const now = (await product.read(all, table)).rows
      expect(by([...merged.values()], ...key)).toEqual(by(now, ...key))
    }
    const { position } = await product.read(all, 'messages')
    expect((await product.ask(hers, `/api/streams/tables/messages?after=${position}`)).json().type).toBe(
      'stream_position_unknown',
    )
    expect((await product.ask(all, `/api/streams/tables/conversations?after=${position}`)).json().type).toBe(
      'stream_position_unknown',
    )
    expect((await product.ask(all, '/api/streams/tables/messages?after=1')).json().type).toBe('stream_position_unknown')
  })

  it('gives what a parked tenant missed once its events are folded, although others went on', async () => {
    const { pool } = product.prosa.ports
    const poison = `alter table analytic_message add constraint poison check (owner <> '${bia}' or message_id <> 'POISON') not valid`
    product.prosa.expectParkedTenants()
    const reader = await product.read(all, 'messages')
    await pool.query(poison)
    const id = await newContact(bia)
    await later(bia, `chat-${id}`, received('POISON'))
    await later(bia, `chat-${id}`, received('AFTER'))
    const other = await newContact(ana)
    await product.reached()
    const parked = () => pool.query(`select from parked_work where worker = 'projection analytic-messages'`)
    await until(async () => (await parked()).rowCount === 1)
    const first = await product.read(all, 'messages', `?after=${reader.position}`)
    await pool.query('alter table analytic_message drop constraint poison')
    await pool.query(`update parked_work set request = 'retry'`)
    await until(async () => (await parked()).rowCount === 0)
    const second = await product.read(all, 'messages', `?after=${first.position}`)
    const full = (await product.read(all, 'messages')).rows
    expect(full.length).toBe((await product.read(all, 'messages', '')).rows.length)
    const merged = new Map(
      [...reader.rows, ...first.rows, ...second.rows].map((row) => [`${row.chatId} ${row.id}`, row]),
    )
    expect(by([...merged.values()], 'chatId', 'id')).toEqual(by(full, 'chatId', 'id'))
    expect(second.rows.length).toBeGreaterThanOrEqual(2)
    expect(other).toBeTruthy()
  }, 30_000)

  it('is chosen by the time of its changes', async () => {
    const { rows } = await product.read(all, 'messages')
    const [from, to] = ['2026-09-05T00:00:00.000Z', '2026-09-12T00:00:00.000Z']
    const between = (await product.read(all, 'messages', `?since=${from}&until=${to}`)).rows
    expect(between).toEqual(rows.filter(({ updatedAt }) => String(updatedAt) >= from && String(updatedAt) < to))
    expect(between.length).toBeGreaterThan(0)
  })

  it('is refused by name, format and where it was not built', async () => {
    expect((await product.ask(all, '/api/streams/tables/senhas')).json().type).toBe('table_not_found')
    expect((await product.ask(all, '/api/streams/tables/messages?format=xls')).json().errors).toEqual([
      { field: 'format', message: 'Escolha ndjson, csv ou parquet.' },
    ])
    const { pool } = product.prosa.ports
    await pool.query(`update checkpoint set version = 0 where name = 'analytic-subscriptions'`)
    expect((await product.ask(all, '/api/streams/tables/subscriptions')).json().type).toBe('table_not_built')
    await pool.query(`update checkpoint set version = 1 where name = 'analytic-subscriptions'`)
  })

  it('goes with the account, but for the time that it had access, which names nobody', async () => {
    const gone = randomUUID()
    await product.register(gone, Date.parse('2027-01-20'))
    const contact = await newContact(gone)
    await later(gone, `connection-${contact}`, { type: 'ConnectionAdded', data: { name: planted } })
    await later(gone, `subscription-${gone}`, { type: 'TrialStarted', data: { endsAt: clock.now } })
    await later(gone, `subscription-${gone}`, { type: 'SubscriberErased', data: {} })
    await later(gone, `user-${gone}`, { type: 'UserErased', data: {} })
    await product.reached()
    const { pool } = product.prosa.ports
    for (const table of ['analytic_conversation', 'analytic_message', 'analytic_connection'])
      expect((await pool.query(`select from ${table} where owner = $1`, [gone])).rowCount, table).toBe(0)
    const { rows } = await pool.query('select end_reason from analytic_subscription where owner = $1', [gone])
    expect(rows).toEqual([{ end_reason: 'erased' }])
  })
})
