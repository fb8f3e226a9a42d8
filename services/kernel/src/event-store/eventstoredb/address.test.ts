import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { eventStoreDbEventStore } from '../eventstoredb.ts'

describe('an address', () => {
  it('that cannot be read is refused without being repeated, as it may hold a password', async () => {
    const url = `esdb://admin:${randomUUID()}@host:port`
    const refused = await eventStoreDbEventStore({ url }).catch((error: Error) => error)
    expect(String(refused)).toMatch(/address of EventStoreDB cannot be read, expected port number/)
    expect(String(refused)).not.toContain(url.split(/[:@]/)[2])
  })

  it('with TLS needs a user, or the client would take the way of appending that can end the process', async () => {
    await expect(eventStoreDbEventStore({ url: 'esdb://host:2113' })).rejects.toThrow('needs a user and a password')
  })
})
