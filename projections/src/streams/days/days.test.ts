import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { contactSubject, pseudonymSubject, userSubject } from '@prosa/contracts/events/subjects'
import type { PublishedEvent } from '@prosa/contracts/published/published-of'
import type { ConsumerStatuses } from '@prosa/kernel/consumers/engine/consumer-status'
import { idOf } from '@prosa/kernel/consumers/testing/test-log'
import { eventCodec } from '@prosa/kernel/event-store/codec'
import { beginning } from '@prosa/kernel/event-store/port'
import { logTimes } from '@prosa/kernel/event-store/times/log-times'
import { FileMissing } from '@prosa/kernel/files/port'
import { personalEncryption } from '@prosa/kernel/privacy/personal-encryption'
import { type TestPorts, testPorts } from '@prosa/kernel/testing/test-ports'
import { until } from '@prosa/kernel/testing/until'
import { type DuckDb, openDuckDb } from '@prosa/product/parquet/testing/duckdb'
import { publishEvents } from '@prosa/product/publishing/publish-events'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type DayFiles, dayFiles, type ReadyDay } from './day-files.ts'
import { keepDaysTrue } from './drop-days.ts'
import { folderOf, nameOfFile, platform } from './make-day.ts'
import { streamMigrations } from './migrations.ts'
import { findDay } from './queries.ts'

const [ana, bia] = [idOf('ana'), idOf('bia')]
const [maria, joao] = [idOf('contact maria'), idOf('contact joao')]
const connectionId = idOf('connection')
const planted = Array.from({ length: 20 }, (_, number) => `SEGREDO-${number}-`)

let duckdb: DuckDb
let folder: string
let ports: TestPorts
let days: DayFiles
let stopping: AbortController
let keeping: Promise<void> | undefined
let recorded: number
const lengths = new Map<string, number>()

beforeAll(async () => {
  duckdb = await openDuckDb()
  folder = await mkdtemp(join(tmpdir(), 'days-'))
})
afterAll(async () => {
  duckdb.close()
  await rm(folder, { recursive: true })
})

const deps = () => ({ ...ports, times: logTimes(ports), publish: publishEvents(ports) })

beforeEach(async () => {
  stopping = new AbortController()
  lengths.clear()
  recorded = 0
  ports = await testPorts({ migrations: [streamMigrations], clock: { now: () => '2026-11-25T12:00:00.000Z' } })
  ports.codec = eventCodec({ personal: personalEncryption(ports.subjectKeys, ports.box) })
  days = dayFiles(deps(), stopping.signal)
})
afterEach(async () => {
  stopping.abort()
  await days.idle()
  await keeping
  keeping = undefined
  await ports.close()
})

const record = async (tenant: string, stream: string, recordedAt: string, ...events: AnyEvent[]) => {
  for (const event of events) {
    const revision = lengths.get(stream) ?? 0
    lengths.set(stream, revision + 1)
    const id = idOf(`event ${recorded++}`)
    const metadata = {
      causationId: id,
      correlationId: id,
      actor: { kind: 'system', id: 'test' } as const,
      tenant,
      recordedAt,
    }
    const encoded = await ports.codec.encode([{ id, stream, event, metadata }])
    const result = await ports.store.append(stream, revision === 0 ? 'no_stream' : BigInt(revision - 1), encoded)
    expect(result.ok).toBe(true)
  }
}
const on = (day: number, hour = 12) => `2026-11-${day}T${String(hour).padStart(2, '0')}:00:00.000Z`
const received = (number: number): AnyEvent => ({
  type: 'MessageReceived',
  data: {
    messageId: `message ${number}`,
    connectionId,
    content: { kind: 'text', text: `${planted[number % 20]}${number}` },
    sentAt: on(20),
  },
})
const fill = async () => {
  await record(ana, `user-${ana}`, on(20, 1), {
    type: 'UserRegistered',
    data: { firstName: 'A', lastName: 'B', email: 'ana@example.com', credentialId: idOf('password') },
  })
  for (const [tenant, contact] of [
    [ana, maria],
    [bia, joao],
  ] as const) {
    await record(tenant, `contact-${contact}`, on(20, 2), {
      type: 'ContactAdded',
      data: { phone: '5511988776655', lid: null, name: `${planted[3]}`, origin: 'message' },
    })
    for (const day of [20, 21, 22])
      for (let hour = 3; hour < 10; hour++) await record(tenant, `chat-${contact}`, on(day, hour), received(hour))
  }
  await record(ana, `contact-${maria}`, on(21), { type: 'ConversationAccepted', data: { attendantId: ana } })
}
const made = async (reader: string, day: number, from = days): Promise<ReadyDay> => {
  const ready = await from.ready({ reader, day: `2026-11-${day}` })
  if (!ready) return expect.fail('it takes too long')
  return ready
}
const isThere = async ({ id, files: [first] }: ReadyDay) =>
  ports.files.get(nameOfFile(id, first?.type ?? '')).then(
    () => true,
    () => false,
  )
/** As DuckDB reads all files of the day. */
const rowsOf = async ({ id, files }: ReadyDay) => {
  const rows: Record<string, unknown>[] = []
  for (const { type, bytes, events } of files) {
    const content = await buffer((await ports.files.get(nameOfFile(id, type))).content)
    expect(content.length).toBe(bytes)
    const path = join(folder, randomUUID())
    await writeFile(path, content)
    const found = await duckdb.query(
      `select * replace (epoch_ms(time) as time), '${type}' as type from read_parquet('${path}')`,
    )
    expect(found).toHaveLength(events)
    rows.push(...found)
  }
  return rows.toSorted((a, b) => Number(a.number) - Number(b.number))
}
/** What the log says of the day now. */
const logOf = async (tenant: string | null, day: number) => {
  const found: PublishedEvent[] = []
  const categories = ['user', 'contact', 'chat']
  for await (const { events } of ports.store.readAll(beginning, { categories }))
    for (const event of await publishEvents(ports)(await ports.codec.decode(events)))
      if (event?.time.startsWith(`2026-11-${day}`) && (tenant === null || event.tenant === (await pseudonymOf(tenant))))
        found.push(event)
  return found
}
const pseudonymOf = async (tenant: string) => {
  const [event] = await publishEvents(ports)(
    await ports.codec.decode(await firstOf(tenant === ana ? `contact-${maria}` : `contact-${joao}`)),
  )
  return event?.tenant
}
const firstOf = async (stream: string) => {
  for await (const page of ports.store.read(stream, { max: 1 })) return page
  return []
}
const expectEqual = async (ready: ReadyDay, log: readonly PublishedEvent[]) => {
  const rows = await rowsOf(ready)
  expect(
    rows.map(({ id, type, subject, tenant, revision, actor, time }) => ({
      id,
      type,
      subject,
      tenant,
      revision,
      actor,
      time,
    })),
  ).toEqual(
    log.map(({ id, type, subject, tenant, revision, actor, time }) => ({
      ...{ id, type, subject, tenant, actor },
      ...{ revision: String(revision), time: String(Date.parse(time)) },
    })),
  )
  for (const [index, { data }] of log.entries())
    for (const [field, value] of Object.entries(data)) {
      const cell = rows[index]?.[field]
      if (typeof value === 'number') expect(cell).toBe(String(value))
      else if (typeof value === 'string' && !/T.*Z$/.test(value)) expect(cell).toBe(value)
    }
  return rows
}
const keep = async () => {
  const statuses: ConsumerStatuses = new Map()
  keeping = keepDaysTrue(ports, stopping.signal, statuses, { cachedMs: 20 })
  await until(() => [...statuses.values()].every(({ state }) => state === 'following'))
}

/** Again where the files were dropped between the look and the reading: others follow, as for a reader over HTTP. */
const unlessDropped = <T>(read: () => Promise<T>): Promise<T> =>
  read().catch((error: unknown) => {
    if (error instanceof FileMissing) return unlessDropped(read)
    throw error
  })
const rowsNow = (reader: string, day: number) => unlessDropped(async () => rowsOf(await made(reader, day)))

describe('files of a closed day', () => {
  it('hold each of its events once, by type, as the log has them, for the platform and for one tenant', async () => {
    await fill()
    // A clock that is behind, and one that is ahead.
    await record(ana, `chat-${maria}`, on(21, 23), received(30))
    await record(ana, `chat-${maria}`, on(27), received(31))
    for (const day of [20, 21, 22, 23]) {
      await expectEqual(await made(platform, day), await logOf(null, day))
      const rows = await expectEqual(await made(ana, day), await logOf(ana, day))
      for (const text of [...planted, '5511988776655', ana, maria]) expect(JSON.stringify(rows)).not.toContain(text)
    }
    expect((await made(platform, 23)).files).toEqual([])
    expect((await made(platform, 21)).files.map(({ type, events }) => [type, events])).toEqual([
      ['prosa.contacts.conversation-accepted.v1', 1],
      ['prosa.contacts.message-received.v1', 15],
    ])
  })

  it('stay the same ones, and are made once by however many ask', async () => {
    await fill()
    await keep()
    const others = [1, 2, 3].map(() => dayFiles(deps(), stopping.signal))
    const found = await Promise.all([days, ...others].map((each) => made(platform, 20, each)))
    expect(new Set(found.map(({ id }) => id)).size).toBe(1)
    await record(ana, `chat-${maria}`, on(25), received(1))
    expect((await made(platform, 20)).id).toBe(found[0]?.id)
    await Promise.all(others.map((each) => each.idle()))
  })

  it('are others after a late event: of that day alone, for the platform and its tenant', async () => {
    await fill()
    await keep()
    const before = await Promise.all([made(platform, 20), made(platform, 21), made(ana, 20), made(bia, 20)])
    await record(ana, `chat-${maria}`, on(20, 5), received(99))
    await until(async () => (await made(platform, 20)).id !== before[0].id && (await made(ana, 20)).id !== before[2].id)
    await expectEqual(await made(platform, 20), await logOf(null, 20))
    expect((await made(platform, 21)).id).toBe(before[1].id)
    expect((await made(bia, 20)).id).toBe(before[3].id)
    await until(async () => !(await isThere(before[0])))
  })

  it('are others once a person is erased: nothing is left of what she wrote, not even how long it was', async () => {
    await fill()
    await keep()
    const before = await Promise.all([made(platform, 20), made(platform, 21), made(ana, 21), made(bia, 21)])
    expect((await rowsOf(before[1])).filter(({ kind }) => kind === 'text')).toHaveLength(14)
    await record(ana, `contact-${maria}`, on(25), { type: 'ContactErased', data: {} })
    // As a reactor does, later.
    await until(async () => !(await isThere(before[0])))
    await made(platform, 21)
    await ports.subjectKeys.erase([contactSubject(maria)])
    const chat = (rows: Record<string, unknown>[]) =>
      rows.filter(({ type }) => String(type).includes('message-received'))
    await until(async () =>
      chat(await rowsNow(ana, 21)).every(({ kind, characters }) => kind === 'erased' && characters === null),
    )
    await until(async () => chat(await rowsNow(platform, 21)).filter(({ kind }) => kind === 'erased').length === 7)
    for (const day of [20, 21, 22])
      await unlessDropped(async () => expectEqual(await made(platform, day), await logOf(null, day)))
    expect((await made(platform, 21)).files.at(-1)?.sha256).not.toBe(before[1].files.at(-1)?.sha256)
    expect((await made(bia, 21)).id).toBe(before[3].id)
    for (const old of before.slice(0, 3)) await until(async () => !(await isThere(old)))
  })

  it('are others once a tenant is erased: no file has her pseudonyms', async () => {
    await fill()
    await keep()
    const before = await Promise.all([made(platform, 20), made(platform, 22), made(ana, 22), made(bia, 22)])
    const [old] = (await rowsOf(before[2])).map(({ subject }) => subject)
    await record(ana, `user-${ana}`, on(25), { type: 'UserErased', data: {} })
    await ports.subjectKeys.erase([userSubject(ana), pseudonymSubject(ana)])
    for (const each of before.slice(0, 3)) await until(async () => !(await isThere(each)))
    await until(async () => !JSON.stringify(await rowsNow(platform, 22)).includes(String(old)))
    await unlessDropped(async () => expectEqual(await made(platform, 20), await logOf(null, 20)))
    expect((await made(bia, 22)).id).toBe(before[3].id)
  })

  it('that are out of date while they are made are thrown away, as those of a process that died', async () => {
    await fill()
    await keep()
    const { decode } = ports.codec
    let release: () => void = () => expect.fail('too early')
    const blocked = new Promise<void>((resolve) => {
      release = resolve
    })
    const slow = dayFiles(
      { ...deps(), codec: { ...ports.codec, decode: (page) => blocked.then(() => decode(page)) } },
      stopping.signal,
    )
    const of = { reader: platform, day: '2026-11-20' }
    const pending = slow.ready(of)
    await until(async () => (await findDay(ports.pool, of))?.status === 'making')
    const first = (await findDay(ports.pool, of))?.id
    await record(ana, `chat-${maria}`, on(20, 5), received(99))
    await until(async () => (await findDay(ports.pool, of))?.id !== first)
    release()
    const ready = await pending
    expect(ready?.id).not.toBe(first)
    await expectEqual(await made(platform, 20), await logOf(null, 20))
    await ports.pool.query(`update stream_day set status = 'making', touched_at = now() - interval '2 minutes'`)
    expect((await made(platform, 20)).id).not.toBe(ready?.id)
    await slow.idle()
    expect(folderOf('x')).toBe('stream-days/x/')
  })

  it('are deleted once nobody asked for them in thirty days, when others are made', async () => {
    await fill()
    const [unused, used] = [await made(platform, 20), await made(platform, 21)]
    await ports.pool.query(`update stream_day set touched_at = now() - interval '31 days'`)
    expect(await made(platform, 21)).toEqual(used)
    await made(platform, 22)
    await days.idle()
    expect([await isThere(unused), await isThere(used)]).toEqual([false, true])
    expect(await findDay(ports.pool, { reader: platform, day: '2026-11-20' })).toBeUndefined()
    expect((await made(platform, 20)).files).toEqual(unused.files)
  })
})
