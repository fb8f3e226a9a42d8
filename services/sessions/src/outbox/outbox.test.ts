import { randomBytes, randomUUID } from 'node:crypto'
import { type TestPostgres, testPostgres } from '@prosa/kernel/postgres/testing'
import { secretBox } from '@prosa/kernel/privacy/secret-box'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSessionTables } from '../tables.ts'
import { outbox } from './outbox.ts'

let database: TestPostgres
const box = secretBox(randomBytes(32))

beforeAll(async () => {
  database = await testPostgres()
  await Promise.all([createSessionTables(database.pool), createSessionTables(database.pool)])
})
afterAll(() => database.drop())

const messageOf = (connectionId: string, messageId: string, position: string) => ({
  connectionId,
  messageId,
  contactId: randomUUID(),
  owner: randomUUID(),
  toJid: '122791454297318@lid',
  text: `text of ${messageId}`,
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
      seen.push([next.messageId, next.text, next.state, next.attempts])
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
    await messages.add({ ...message, text: 'another' })
    expect(await messages.first(id)).toBeUndefined()
    await messages.settle(id, 'A', 'failed')
    expect(await messages.find(id, 'A')).toMatchObject({ state: 'dispatched', text: 'text of A' })
  })

  it('sends again what failed and was queued anew, and not what is only told a second time', async () => {
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

  it('keeps the connections and tenants apart', async () => {
    const messages = outbox(database.pool, box)
    const [mine, theirs] = [randomUUID(), randomUUID()]
    const message = messageOf(mine, 'B', '1')
    await messages.add(message)
    expect(await messages.find(theirs, 'B')).toBeUndefined()
    expect(await messages.connectionsWithWaiting()).toContainEqual({ connectionId: mine, owner: message.owner })
    expect(await messages.countAttempt(mine, 'B')).toBe(1)
    expect(await messages.countAttempt(mine, 'B')).toBe(2)
  })

  it('forgets texts that no device can ask for any more, and keeps whose they were', async () => {
    const messages = outbox(database.pool, box)
    const id = randomUUID()
    for (const messageId of ['old', 'new', 'waiting']) await messages.add(messageOf(id, messageId, '1'))
    await messages.settle(id, 'old', 'dispatched')
    await messages.settle(id, 'new', 'dispatched')
    await database.pool.query(`update outbox set settled_at = now() - interval '15 days' where message_id = 'old'`)
    await messages.forgetOldTexts()
    expect(await messages.find(id, 'old')).toMatchObject({ text: null, state: 'dispatched' })
    expect((await messages.find(id, 'new'))?.text).toBe('text of new')
    expect((await messages.find(id, 'waiting'))?.text).toBe('text of waiting')
  })
})
