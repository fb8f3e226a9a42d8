import { randomBytes, randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { type AnyEvent, allEvents } from '@prosa/contracts/events/all-events'
import { contactSubject, type Subject, subjectOf, userSubject } from '@prosa/contracts/events/subjects'
import { personalFields } from '@prosa/contracts/values/personal'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventCodec, UndecodableEvent } from '../event-store/codec.ts'
import type { NewEvent, Position, RecordedEvent } from '../event-store/port.ts'
import type { TestPostgres } from '../postgres/testing.ts'
import { anyCharacter } from '../testing/any-character.ts'
import { kernelDatabase } from '../testing/kernel-database.ts'
import { until } from '../testing/until.ts'
import { masterKeys } from './master-keys.ts'
import { personalEncryption } from './personal-encryption.ts'
import { secretBox } from './secret-box.ts'
import { cacheMs, type SubjectKeysOptions, subjectKeys } from './subject-keys.ts'

const secret = randomBytes(32)
const box = secretBox(secret)
const ending = new AbortController()
setMaxListeners(0, ending.signal)
let database: TestPostgres
beforeAll(async () => {
  database = await kernelDatabase()
})
afterAll(async () => {
  ending.abort()
  await database.drop()
})

/** Shares only the database. */
const process = ({
  signal = ending.signal,
  ...options
}: Partial<Pick<SubjectKeysOptions, 'signal' | 'now' | 'heartbeatMs'>> = {}) => {
  const { pool, url: databaseUrl } = database
  const keys = subjectKeys({ pool, databaseUrl, masters: masterKeys(secret), signal, ...options })
  return { keys, codec: eventCodec({ personal: personalEncryption(keys, box) }) }
}

const tenant = randomUUID()
const streamFor = (id: string, { type }: AnyEvent) =>
  type === 'MessageArrived' ? `line-${id}` : `${type.startsWith('Message') ? 'chat' : 'contact'}-${id}`

const toAppend = (id: string, event: AnyEvent) => ({
  id: randomUUID(),
  stream: streamFor(id, event),
  event,
  metadata: {
    causationId: 'test',
    correlationId: 'test',
    actor: { kind: 'system', id: 'test' } as const,
    tenant,
    recordedAt: '2026-11-21T12:00:00.000Z',
  },
})

type PlainEvent = Pick<RecordedEvent, keyof RecordedEvent>

const stored = (stream: string, event: NewEvent): PlainEvent => ({
  ...event,
  data: JSON.parse(JSON.stringify(event.data)),
  stream,
  revision: 0n,
  position: '00000000000000000001' as Position,
})

const storeOne = async (id: string, event: AnyEvent, { codec } = process()): Promise<PlainEvent> => {
  const given = toAppend(id, event)
  const [encoded] = await codec.encode([given])
  if (!encoded) throw new Error('nothing was encoded')
  return stored(given.stream, encoded)
}

const named = (name: string): AnyEvent => ({ type: 'ContactNamed', data: { name } })
const nameIn = async (event: RecordedEvent, { codec } = process()) => (await codec.decode([event]))[0]?.data

const folder = new URL('../../../../contracts/src/events/golden/', import.meta.url)
const golden = readdirSync(folder)
  .map((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as AnyEvent & { schemaVersion: number })
  .filter(({ schemaVersion, type }) => schemaVersion === 1 && personalFields(allEvents[type]).size > 0)

describe('the contract', () => {
  it('names the subject of every event with personal fields', () => {
    const personal = Object.entries(allEvents).filter(([, schema]) => personalFields(schema).size > 0)
    expect(personal.map(([type]) => type).sort()).toEqual(Object.keys(subjectOf).sort())
    expect(personal.length).toBeGreaterThan(10)
  })

  it('names a subject without naming the person', async () => {
    const arrived = golden.find(({ type }) => type === 'MessageArrived')
    if (arrived?.type !== 'MessageArrived') throw new Error('no golden file')
    const about = { stream: 'line-1', tenant, data: { ...arrived.data, chatJid: '5511988776655@s.whatsapp.net' } }
    const subject = subjectOf.MessageArrived(about, box.fingerprint)
    expect(subject).not.toContain('88776655')
    const shorter = { ...about, data: { ...about.data, chatJid: '551188776655@s.whatsapp.net' } }
    expect(subjectOf.MessageArrived(shorter, box.fingerprint)).toBe(subject)
    expect(subjectOf.MessageArrived({ ...about, tenant: randomUUID() }, box.fingerprint)).not.toBe(subject)
  })
})

describe('a personal field', () => {
  it.each(golden)(
    'of $type is stored encrypted, read as it was, and shown as erased once its key is gone',
    async (event) => {
      const { keys, codec } = process()
      const id = randomUUID()
      const { type, data } = event
      const given = toAppend(id, { type, data } as AnyEvent)
      const [encoded] = await codec.encode([given])
      if (!encoded) throw new Error('nothing was encoded')
      const record = stored(given.stream, encoded)
      const fields = personalFields(allEvents[type])
      for (const [field, value] of Object.entries(data)) {
        const isOpen = JSON.stringify(record.data[field]) === JSON.stringify(value)
        expect([field, isOpen]).toEqual([field, !fields.has(field) || value === null])
      }
      expect((await process().codec.decode([record]))[0]?.data).toEqual(data)

      const about = { stream: given.stream, tenant, data }
      const subject = (subjectOf as Record<string, (about: unknown, hash: unknown) => Subject>)[type]?.(
        about,
        box.fingerprint,
      )
      expect(await keys.erase(subject ? [subject] : [])).toBe(1)
      const [erased] = await codec.decode([record])
      for (const [field, value] of Object.entries(erased?.data ?? {}))
        expect([field, value]).toEqual([
          field,
          fields.has(field) ? fields.get(field) : data[field as keyof typeof data],
        ])
    },
  )

  it('comes back byte for byte, whatever text it is', async () => {
    const { codec } = process()
    const id = randomUUID()
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: anyCharacter }), { minLength: 1, maxLength: 100 }), async (texts) => {
        const page = texts.map((name) => toAppend(id, named(name)))
        const encoded = await codec.encode(page)
        const read = await codec.decode(encoded.map((event, index) => stored(page[index]?.stream ?? '', event)))
        expect(read.map(({ data }) => data)).toEqual(texts.map((name) => ({ name })))
      }),
      { numRuns: 20 },
    )
  })

  it('that was stored before there was encryption is still read', async () => {
    const record = await storeOne(randomUUID(), named('Ana'))
    expect(await nameIn({ ...record, data: { name: 'Ana, em claro' } })).toEqual({ name: 'Ana, em claro' })
  })

  it('never looks the same twice', async () => {
    const id = randomUUID()
    const [one, other] = [await storeOne(id, named('Ana')), await storeOne(id, named('Ana'))]
    expect(one.data.name).not.toEqual(other.data.name)
  })

  it('does not open in another event, in another field, under another subject, or with a changed byte', async () => {
    const event: AnyEvent = { type: 'ContactIdentified', data: { phone: '5511988776655', lid: '1636' } }
    const record = await storeOne(randomUUID(), event)
    const other = await storeOne(randomUUID(), event)
    const { phone, lid } = record.data as Record<string, { sealed: string; key: string }>
    if (!phone || !lid) throw new Error('not encrypted')
    const flipped = Buffer.from(phone.sealed, 'base64')
    flipped.writeUInt8(flipped.readUInt8(30) ^ 1, 30)
    const forgeries: RecordedEvent[] = [
      { ...record, id: randomUUID() },
      { ...record, data: { phone: lid, lid: phone } },
      { ...record, data: { ...record.data, phone: other.data.phone ?? null } },
      { ...record, data: { ...record.data, phone: { ...phone, key: (other.data.phone as typeof phone).key } } },
      { ...record, data: { ...record.data, phone: { ...phone, sealed: flipped.toString('base64') } } },
    ]
    for (const forged of forgeries)
      await expect(process().codec.decode([forged])).rejects.toThrow('was changed or belongs to another event')
    await expect(process().codec.decode([record])).resolves.toHaveLength(1)
  })

  it('whose key is lost and not erased is an error that names the remedy', async () => {
    const record = await storeOne(randomUUID(), named('Ana'))
    await database.pool.query('delete from subject_key where id = $1', [(record.data.name as { key: string }).key])
    await expect(process().codec.decode([record])).rejects.toThrow('restore the table subject_key from a backup')
  })

  it('cannot be read without keys', async () => {
    const record = await storeOne(randomUUID(), named('Ana'))
    await expect(eventCodec().decode([record])).rejects.toThrow(UndecodableEvent)
  })
})

describe('a reason that a person gave', () => {
  const reason = 'Ana ligou do (11) 98877-6655'
  const withReason = (event: AnyEvent, of: string | null = tenant) => {
    const given = toAppend(randomUUID(), event)
    const actor = { kind: 'admin', id: randomUUID() } as const
    return { ...given, metadata: { ...given.metadata, actor, tenant: of, reason } }
  }
  const reasonIn = async (event: RecordedEvent) => (await process().codec.decode([event]))[0]?.metadata.reason
  const storeReason = async (given: ReturnType<typeof withReason>) => {
    const [encoded] = await process().codec.encode([given])
    if (!encoded) throw new Error('nothing was encoded')
    return stored(given.stream, encoded)
  }

  it.each([
    ['of an event with personal fields', named('Ana')],
    ['of an event without them', { type: 'UserLoggedOut', data: {} } as AnyEvent],
  ])('%s is stored encrypted, read as it was, and goes with the tenant', async (_, event) => {
    const tenant = randomUUID()
    const record = await storeReason(withReason(event, tenant))
    expect(JSON.stringify([record.data, record.metadata])).not.toContain('Ana')
    const [read] = await process().codec.decode([record])
    expect([read?.metadata.reason, read?.data]).toEqual([reason, event.data])
    const { keys } = process()
    expect(await keys.erase([userSubject(tenant)])).toBe(1)
    await until(async () => (await reasonIn(record)) === '[apagado]')
  })

  it('for an erasure, or for what is no tenant’s, stays with whoever gave it', async () => {
    const { keys } = process()
    const tenant = randomUUID()
    const [erasure, withoutTenant] = [
      withReason({ type: 'UserErased', data: {} }, tenant),
      withReason(named('Ana'), null),
    ]
    const records = [await storeReason(erasure), await storeReason(withoutTenant)]
    expect(await keys.erase([userSubject(tenant)])).toBe(0)
    for (const record of records) expect(await reasonIn(record)).toBe(reason)
    expect(await keys.erase([erasure, withoutTenant].map(({ metadata }) => userSubject(metadata.actor.id)))).toBe(2)
    for (const record of records) await until(async () => (await reasonIn(record)) === '[apagado]')
  })

  it('from before reasons were encrypted is read as it stands', async () => {
    const record = await storeOne(randomUUID(), named('Ana'))
    expect(await reasonIn({ ...record, metadata: { ...record.metadata, reason: 'em claro' } })).toBe('em claro')
  })
})

describe('the key of a subject', () => {
  it('is one, however many processes need it first at the same instant', async () => {
    const id = randomUUID()
    const processes = Array.from({ length: 8 }, () => process())
    const records = await Promise.all(processes.map((each) => storeOne(id, named('Ana'), each)))
    expect(new Set(records.map(({ data }) => (data.name as { key: string }).key)).size).toBe(1)
  })

  it('is another after an erasure, which opens nothing of before', async () => {
    const here = process()
    const id = randomUUID()
    const before = await storeOne(id, named('Ana'), here)
    await here.keys.erase([contactSubject(id)])
    const after = await storeOne(id, named('Ana de novo'), here)
    expect(await nameIn(before, here)).toEqual({ name: '[apagado]' })
    expect(await nameIn(after, here)).toEqual({ name: 'Ana de novo' })
    const { rows } = await database.pool.query(
      'select wrapped, erased_at is not null as tombstone from subject_key where subject = $1 order by created_at',
      [contactSubject(id)],
    )
    expect(rows).toMatchObject([{ wrapped: null, tombstone: true }, { tombstone: false }])
  })

  it('is destroyed together with all of the same tenant’s addresses, and of no other’s', async () => {
    const { keys } = process()
    const [mine, also, other] = ['address:t1:a', 'address:t1:b', 'address:t10:a'] as const
    await keys.toEncrypt([mine, also, other])
    expect(await keys.erase([], ['address:t1:'])).toBe(2)
    expect(await keys.erase([], ['address:t1:'])).toBe(0)
    expect(await keys.erase([other])).toBe(1)
  })

  it('is forgotten by other processes as soon as it is erased', async () => {
    const [here, there] = [process(), process({ now: () => 0 })]
    const id = randomUUID()
    const record = await storeOne(id, named('Ana'), there)
    // The frozen clock leaves only the announcement to clear the cache.
    await until(async () => {
      await here.keys.erase([contactSubject(id)])
      return ((await nameIn(record, there)) as { name: string }).name === '[apagado]'
    })
    const other = randomUUID()
    const later = await storeOne(other, named('Bia'), there)
    expect(await nameIn(later, there)).toEqual({ name: 'Bia' })
    await here.keys.erase([contactSubject(other)])
    const isForgotten = async () => ((await nameIn(later, there)) as { name: string }).name === '[apagado]'
    await until(isForgotten, 2000)
  })

  it('is forgotten by a process without notifications once its time is over', async () => {
    let now = 0
    const here = process()
    const deaf = process({ signal: AbortSignal.abort(), now: () => now })
    const id = randomUUID()
    const record = await storeOne(id, named('Ana'), deaf)
    await here.keys.erase([contactSubject(id)])
    expect(await nameIn(record, deaf)).toEqual({ name: 'Ana' })
    now = cacheMs
    expect(await nameIn(record, deaf)).toEqual({ name: '[apagado]' })
  })

  it('is not asked for again for as long as erasures are received', async () => {
    let now = 0
    const listening = process({ now: () => now, heartbeatMs: 500 })
    const records: RecordedEvent[] = []
    for (let count = 0; count < 200; count++) records.push(await storeOne(randomUUID(), named('Ana'), listening))
    const { pool } = database
    const query = pool.query
    let queries = 0
    pool.query = ((...given: unknown[]) => {
      queries++
      return (query as (...args: unknown[]) => unknown).apply(pool, given)
    }) as typeof pool.query
    try {
      // Each is read once, as a read caches it anew.
      now = cacheMs
      await until(async () => {
        const record = records.pop()
        if (!record) throw new Error('every key was asked for again')
        const before = queries
        await listening.codec.decode([record])
        return queries === before
      })
    } finally {
      pool.query = query
    }
  })

  it('opens what several readers share once, and not beyond an erasure', async () => {
    const here = process()
    const id = randomUUID()
    const record = await storeOne(id, named('Ana'), here)
    await until(async () => {
      const [first] = await here.codec.decode([record])
      const [second] = await here.codec.decode([record])
      return second === first
    })
    await here.keys.erase([contactSubject(id)])
    expect(await nameIn(record, here)).toEqual({ name: '[apagado]' })
  })

  it('costs one query for a page of many subjects, and none while it is remembered', async () => {
    const { codec } = process({ signal: AbortSignal.abort() })
    const events = Array.from({ length: 300 }, () => toAppend(randomUUID(), named('Ana')))
    let queries = 0
    const { pool } = database
    const query = pool.query
    pool.query = ((...given: unknown[]) => {
      queries++
      return (query as (...args: unknown[]) => unknown).apply(pool, given)
    }) as typeof pool.query
    try {
      const encoded = await codec.encode(events)
      expect(queries).toBe(1)
      const page = encoded.map((event, index) => stored(events[index]?.stream ?? '', event))
      await codec.decode(page)
      expect(queries).toBe(1)
      await process().codec.decode(page)
      expect(queries).toBe(2)
    } finally {
      pool.query = query
    }
  })
})
