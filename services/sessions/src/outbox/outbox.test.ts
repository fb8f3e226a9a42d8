import { randomBytes, randomUUID } from 'node:crypto'
import { openPool } from '@prosa/kernel/postgres/pool'
import type { TestPostgres } from '@prosa/kernel/postgres/testing'
import { secretBox } from '@prosa/kernel/privacy/secret-box'
import { kernelDatabase } from '@prosa/kernel/testing/kernel-database'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { sessionMigrations } from '../migrations/session-migrations.ts'
import { outbox } from './outbox.ts'
import type { OutgoingWork } from './outgoing-work.ts'

let database: TestPostgres
const box = secretBox(randomBytes(32))

beforeAll(async () => {
  database = await kernelDatabase(sessionMigrations)
})
afterAll(() => database.drop())

const textWork = (text: string): OutgoingWork => ({
  kind: 'message',
  content: { kind: 'text', text },
  secret: Buffer.alloc(32, 1).toString('base64'),
})
const textOf = (message: { work: OutgoingWork | null } | undefined) =>
  message?.work?.kind === 'message' && message.work.content.kind === 'text' ? message.work.content.text : undefined

const messageOf = (connectionId: string, messageId: string, position: string) => ({
  connectionId,
  messageId,
  contactId: randomUUID(),
  tenant: randomUUID(),
  toJid: '122791454297318@lid',
  work: textWork(`text of ${messageId}`),
  position,
  eventId: randomUUID(),
  correlationId: 'request',
})

describe('the outbox', () => {
  it('hands messages out in the order of the log, whatever the order of their coming', async () => {
    const messages = outbox(database.pool, box)
    const id = randomUUID()
    for (const position of ['10', '09', '11']) await messages.add(messageOf(id, `at ${position}`, position))
    const seen: unknown[] = []
    for (let next = await messages.first(id); next; next = await messages.first(id)) {
      seen.push([next.messageId, textOf(next), next.state, next.attempts])
      await messages.settle(id, next.messageId, 'dispatched')
    }
    expect(seen).toEqual([
      ['at 09', 'text of at 09', 'waiting', 0],
      ['at 10', 'text of at 10', 'waiting', 0],
      ['at 11', 'text of at 11', 'waiting', 0],
    ])
  })

  it('keeps nothing for an erased contact, sent or not, and everything of the others', async () => {
    const messages = outbox(database.pool, box)
    const id = randomUUID()
    const [sent, waiting, other] = ['A', 'B', 'C'].map((name, index) => messageOf(id, name, String(index)))
    if (!sent || !waiting || !other) throw new Error('three were made')
    await messages.add(sent)
    await messages.settle(id, 'A', 'dispatched')
    await messages.add({ ...waiting, contactId: sent.contactId })
    await messages.add(other)
    await messages.forgetContact(sent.contactId)
    await messages.forgetContact(sent.contactId)
    expect(await messages.find(id, 'A')).toBeUndefined()
    expect(await messages.first(id)).toMatchObject({ messageId: 'C' })
  })

  it('holds a message once, and does not send again what is done', async () => {
    const messages = outbox(database.pool, box)
    const id = randomUUID()
    const message = messageOf(id, 'A', '1')
    await messages.add(message)
    await messages.settle(id, 'A', 'dispatched')
    await messages.add({ ...message, work: textWork('another') })
    expect(await messages.first(id)).toBeUndefined()
    await messages.settle(id, 'A', 'failed')
    const kept = await messages.find(id, 'A')
    expect([kept?.state, textOf(kept)]).toEqual(['dispatched', 'text of A'])
  })

  it('sends again what failed and was queued anew, and not what is only delivered a second time', async () => {
    const messages = outbox(database.pool, box)
    const id = randomUUID()
    const message = messageOf(id, 'A', '1')
    await messages.add(message)
    await messages.settle(id, 'A', 'failed')
    await messages.add(message)
    expect(await messages.first(id)).toBeUndefined()
    await messages.add({ ...message, position: '2' })
    expect(await messages.first(id)).toMatchObject({ messageId: 'A', attempts: 0 })
  })

  it('never sends what was written for one contact to another, though both were given one id, and reports that', async () => {
    const messages = outbox(database.pool, box)
    const id = randomUUID()
    const message = messageOf(id, 'A', '1')
    const other = { ...messageOf(id, 'A', '2'), toJid: '5511900000002@s.whatsapp.net', work: textWork('for another') }
    expect(await messages.add(message)).toBe(true)
    for (const state of ['waiting', 'failed'] as const) {
      if (state === 'failed') await messages.settle(id, 'A', 'failed')
      for (const isRetry of [false, true]) expect(await messages.add({ ...other, isRetry })).toBe(false)
      const kept = await messages.find(id, 'A')
      expect(kept).toMatchObject({ contactId: message.contactId, toJid: message.toJid, state })
      expect(textOf(kept)).toBe('text of A')
    }
    expect(await messages.add({ ...message, position: '3' })).toBe(true)
    expect(await messages.add(message)).toBe(true)
  })

  it('keeps the connections and tenants apart', async () => {
    const messages = outbox(database.pool, box)
    const [mine, theirs] = [randomUUID(), randomUUID()]
    const message = messageOf(mine, 'B', '1')
    await messages.add(message)
    expect(await messages.find(theirs, 'B')).toBeUndefined()
    expect(await messages.connectionsWithWaiting()).toContainEqual({ connectionId: mine, tenant: message.tenant })
    expect(await messages.countAttempt(mine, 'B')).toBe(1)
    expect(await messages.countAttempt(mine, 'B')).toBe(2)
  })

  it('forgets texts that no device can ask for any more, and keeps whose they were', async () => {
    const messages = outbox(database.pool, box)
    const id = randomUUID()
    for (const messageId of ['old', 'new', 'waiting']) await messages.add(messageOf(id, messageId, '1'))
    await messages.settle(id, 'old', 'dispatched')
    await messages.settle(id, 'new', 'dispatched')
    await messages.savePrepared(id, 'old', Buffer.from('made ready'))
    await database.pool.query(`update outbox set settled_at = now() - interval '15 days' where message_id = 'old'`)
    await messages.forgetOldTexts()
    expect(await messages.find(id, 'old')).toMatchObject({ work: null, prepared: null, state: 'dispatched' })
    expect(textOf(await messages.find(id, 'new'))).toBe('text of new')
    expect(textOf(await messages.find(id, 'waiting'))).toBe('text of waiting')
  })

  it('sends again what was queued anew before its failure was settled', async () => {
    const messages = outbox(database.pool, box)
    const id = randomUUID()
    const message = messageOf(id, 'A', '1')
    await messages.add(message)
    await messages.add({ ...message, position: '2', eventId: randomUUID() })
    await messages.settle(id, 'A', 'failed', message.eventId)
    expect(await messages.first(id)).toMatchObject({ messageId: 'A' })
  })

  it('keeps what was made ready once, and nobody reads it in the database', async () => {
    const messages = outbox(database.pool, box)
    const id = randomUUID()
    const message = messageOf(id, 'A', '1')
    await messages.add(message)
    expect((await messages.first(id))?.prepared).toBeNull()
    await messages.savePrepared(id, 'A', Buffer.from('made ready'))
    await messages.savePrepared(id, 'A', Buffer.from('made ready again'))
    expect(Buffer.from((await messages.first(id))?.prepared ?? []).toString()).toBe('made ready')
    await messages.settle(id, 'A', 'failed')
    await messages.add({ ...message, position: '2' })
    expect(Buffer.from((await messages.first(id))?.prepared ?? []).toString()).toBe('made ready')
    const { rows } = await database.pool.query('select o::text as row from outbox o where connection_id = $1', [id])
    for (const word of ['made ready', 'text of'])
      expect(JSON.stringify(rows)).not.toContain(Buffer.from(word).toString('hex'))
  })

  it('passes over the contacts that have to wait, and what is held while that is asked', async () => {
    const messages = outbox(database.pool, box)
    const id = randomUUID()
    const [a, b, c] = ['A', 'B', 'C'].map((name, index) => messageOf(id, name, String(index)))
    if (!a || !b || !c) throw new Error('three were made')
    for (const message of [a, b, c]) await messages.add(message)
    expect(await messages.first(id, { except: [a.contactId, b.contactId] })).toMatchObject({ messageId: 'C' })
    expect(await messages.defer(id, a.contactId, true)).toBe(true)
    expect(await messages.defer(id, a.contactId, true)).toBe(false)
    expect(await messages.first(id, { withoutDeferred: true })).toMatchObject({ messageId: 'B' })
    expect(await messages.first(id)).toMatchObject({ messageId: 'A' })
    expect(await messages.defer(id, a.contactId, false)).toBe(true)
    expect(await messages.first(id, { withoutDeferred: true })).toMatchObject({ messageId: 'A' })
  })

  it('finds the first that waits by reading a few rows, however many wait and were sent, of whichever tenant', async () => {
    const [id, contactId] = [randomUUID(), randomUUID()]
    const one = openPool(database.url, { max: 1 })
    onTestFinished(() => one.end())
    const messages = outbox(one, box)
    await messages.add({ ...messageOf(id, 'first', '1'), contactId })
    await messages.settle(id, 'first', 'dispatched')
    await messages.add({ ...messageOf(id, 'second', '2'), contactId })
    const fill = (count: number) =>
      one.query(
        `insert into outbox (connection_id, message_id, contact_id, owner, to_jid, state, position, event_id, correlation_id)
         select case when n % 10 = 0 then $1::uuid else md5('connection' || n % 10)::uuid end, $2 || n,
                md5('contact' || n % 500)::uuid, 'tenant' || n % 10, '1@lid',
                case when n % 2 = 0 then 'waiting' else 'dispatched' end, '3' || lpad(n::text, 8, '0'),
                gen_random_uuid(), 'request'
         from generate_series(1, $3) n`,
        [id, randomUUID(), count],
      )
    /** Includes earlier transactions' unreported reads. */
    const rowsRead = async () => {
      const { rows } = await one.query<{ read: number }>(
        `select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_xact_user_tables
         where relid = 'outbox'::regclass`,
      )
      return rows[0]?.read ?? 0
    }
    const readFor = async (isAcquainted: boolean) => {
      await one.query('begin')
      const before = await rowsRead()
      expect(await messages.first(id, { withoutDeferred: true })).toMatchObject({ isAcquainted })
      const read = (await rowsRead()) - before
      await one.query('rollback')
      return read
    }
    for (const count of [2000, 20_000]) {
      await fill(count)
      for (const isAnalyzed of [false, true]) {
        if (isAnalyzed) await one.query('analyze outbox')
        expect(await readFor(true)).toBeLessThanOrEqual(3)
      }
    }
    // Others sent much to this contact, and this connection nothing.
    await messages.settle(id, 'second', 'dispatched')
    await one.query(
      `update outbox set contact_id = md5('contact1')::uuid where connection_id = $1 and state = 'waiting'`,
      [id],
    )
    expect(await readFor(false)).toBeLessThanOrEqual(3)
  })

  it('knows to whom something went before', async () => {
    const messages = outbox(database.pool, box)
    const [id, otherId] = [randomUUID(), randomUUID()]
    const first = messageOf(id, 'A', '1')
    await messages.add(first)
    expect(await messages.first(id)).toMatchObject({ isAcquainted: false })
    await messages.settle(id, 'A', 'dispatched')
    await messages.add({ ...messageOf(id, 'B', '2'), contactId: first.contactId })
    await messages.add({ ...messageOf(otherId, 'C', '3'), contactId: first.contactId })
    expect(await messages.first(id)).toMatchObject({ messageId: 'B', isAcquainted: true })
    expect(await messages.first(otherId)).toMatchObject({ messageId: 'C', isAcquainted: false })
  })

  it('knows what was queued for an earlier number, held or not, and whom only that one wrote to', async () => {
    const messages = outbox(database.pool, box)
    const id = randomUUID()
    const [sent, waiting] = [messageOf(id, 'A', '1'), messageOf(id, 'B', '2')]
    await messages.add(sent)
    await messages.settle(id, 'A', 'dispatched')
    await messages.add(waiting)
    await messages.add({ ...messageOf(id, 'C', '4'), contactId: sent.contactId })
    await messages.defer(id, waiting.contactId, true)
    const first = () => messages.first(id, { withoutDeferred: true, numberSince: '3' })
    expect(await first()).toMatchObject({ messageId: 'B', isOfEarlierNumber: true })
    await messages.settle(id, 'B', 'failed')
    expect(await first()).toMatchObject({ messageId: 'C', isOfEarlierNumber: false, isAcquainted: false })
    await messages.settle(id, 'C', 'dispatched')
    await messages.add({ ...messageOf(id, 'D', '5'), contactId: sent.contactId })
    expect(await first()).toMatchObject({ messageId: 'D', isAcquainted: true })
  })

  it('sends what was queued anew to the address that the contact has by now, and made ready for that', async () => {
    const messages = outbox(database.pool, box)
    const id = randomUUID()
    const message = messageOf(id, 'A', '1')
    await messages.add(message)
    await messages.savePrepared(id, 'A', Buffer.from('quotes the old address'))
    await messages.settle(id, 'A', 'failed')
    await messages.add({ ...message, toJid: '5511900000002@s.whatsapp.net', position: '2' })
    const again = await messages.first(id)
    expect(again).toMatchObject({ toJid: '5511900000002@s.whatsapp.net', prepared: null })
    expect(textOf(again)).toBe('text of A')
  })

  it('sends the present content of a message that failed and is tried again, and the very same bytes if that is the same', async () => {
    const messages = outbox(database.pool, box)
    const id = randomUUID()
    const message = messageOf(id, 'A', '1')
    await messages.add(message)
    await messages.savePrepared(id, 'A', Buffer.from('the bytes'))
    await messages.settle(id, 'A', 'failed')
    const secret = Buffer.alloc(32, 2).toString('base64')
    await messages.add({ ...message, work: { ...message.work, secret } as OutgoingWork, position: '2', isRetry: true })
    expect(await messages.first(id)).toMatchObject({ work: message.work, prepared: Buffer.from('the bytes') })
    await messages.settle(id, 'A', 'failed')
    await messages.add({ ...message, work: textWork('another text'), position: '3', isRetry: true })
    expect(await messages.first(id)).toMatchObject({ work: textWork('another text'), prepared: null })
  })

  it('still sends what an earlier version put in line', async () => {
    const messages = outbox(database.pool, box)
    const id = randomUUID()
    await messages.add(messageOf(id, 'A', '1'))
    const sealed = box.encrypt(Buffer.from('de antes'), `outbox ${id} A`)
    await database.pool.query('update outbox set sealed_work = null, sealed_text = $2 where connection_id = $1', [
      id,
      sealed,
    ])
    expect(textOf(await messages.first(id))).toBe('de antes')
  })
})
