import { randomUUID } from 'node:crypto'
import type { EventMetadata } from '@prosa/contracts/events/metadata'
import { describe, expect, it } from 'vitest'
import { memoryEventStore } from './memory.ts'
import { textOf } from './move/log-digest.ts'
import { fromStored, fromStoredObject, toStored } from './stored-metadata.ts'

const hostile = ['"owner":"x"', '","owner":"x', '\\","owner":"x', '{"tenant":"x"}', '"tenant":', 'owner', '\\']
const stored = (tenant: string | null, text: string) =>
  JSON.stringify({
    causationId: text,
    correlationId: text,
    actor: { kind: 'user', id: text, keyId: text },
    owner: tenant,
    reason: text,
    schemaVersion: 1,
    recordedAt: '2026-11-27T12:00:00.000Z',
  })

describe('metadata as logs hold it', () => {
  it.each([...hostile, null])('is read and written again byte for byte, whatever is in it: %s', (text) => {
    for (const tenant of [text, 'ana', null]) {
      const before = stored(tenant, text ?? '')
      const read = fromStored(before)
      expect(read).toMatchObject({ tenant, reason: text ?? '', actor: { id: text ?? '' } })
      expect(read).not.toHaveProperty('owner')
      expect(toStored(JSON.stringify(read))).toBe(before)
      expect(JSON.stringify(fromStoredObject(JSON.parse(before)))).toBe(JSON.stringify(read))
    }
  })

  it('keeps the digest of earlier releases, in any order of the fields', async () => {
    const store = memoryEventStore()
    const id = randomUUID()
    const fields = Object.entries(fromStored(stored('ana', 'x')))
    const orders = [fields, fields.toReversed()].map((each) => Object.fromEntries(each) as unknown as EventMetadata)
    for (const metadata of orders) {
      const stream = `contact-${randomUUID()}`
      await store.append(stream, 'no_stream', [
        { id, type: 'ContactNamed', data: { name: 'tenant', tenant: 1 }, metadata },
      ])
      for await (const [event] of store.read(stream)) {
        if (!event) throw new Error('the event is not there')
        const asBefore = JSON.stringify([
          stream,
          '0',
          id,
          event.type,
          event.data,
          JSON.parse(toStored(JSON.stringify(metadata))),
        ])
        expect(textOf(event)).toBe(asBefore)
      }
    }
  })
})
