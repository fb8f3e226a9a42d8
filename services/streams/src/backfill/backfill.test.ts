import { systemClock } from '@prosa/kernel/clock'
import { loadCheckpoint } from '@prosa/kernel/consumers/engine/checkpoints'
import { eventCodec } from '@prosa/kernel/event-store/codec'
import type { EventStore, Position } from '@prosa/kernel/event-store/port'
import { postgresEventStore } from '@prosa/kernel/event-store/postgres'
import { silentLog } from '@prosa/kernel/observability/log'
import type { TestPostgres } from '@prosa/kernel/postgres/testing'
import { kernelDatabase } from '@prosa/kernel/testing/kernel-database'
import { until } from '@prosa/kernel/testing/until'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { publishTopic } from '../publish-topic.ts'
import { contactLog } from '../testing/contact-log.ts'
import { type MemoryPublisher, memoryPublisher } from '../testing/memory-publisher.ts'
import { publishPlainly } from '../testing/publish-plainly.ts'
import { type BackfillDeps, backfill } from './backfill.ts'
import { CannotBackfill, type Range } from './range.ts'

const topic = 'analysts.contacts'
const live = 'prosa.contacts.contact'
const people = ['ana', 'bia', 'caio']
const everything: Range = {
  ...{ services: ['contacts'], types: [] },
  ...{ after: undefined, upTo: undefined, since: undefined, until: undefined },
}
const never = new AbortController().signal

let database: TestPostgres
let store: EventStore
let log: ReturnType<typeof contactLog>
let publisher: MemoryPublisher
beforeEach(async () => {
  database = await kernelDatabase()
  store = await postgresEventStore({ url: database.url })
  log = contactLog(store)
  publisher = memoryPublisher()
})
afterEach(async () => {
  await store.close()
  await database.drop()
})

const depsWith = (changed: Partial<BackfillDeps> = {}): BackfillDeps => ({
  ...{ store, publisher, pool: database.pool, databaseUrl: database.url, silenceMs: 1500 },
  ...{ codec: eventCodec(), clock: systemClock, log: silentLog(), publish: publishPlainly },
  ...{ prefix: 'prosa', logId: 'log', pauseMs: () => 20 },
  ...changed,
})
const fill = (range: Partial<Range> = {}, changed: Partial<BackfillDeps> = {}, signal = never) =>
  backfill(topic, { ...everything, ...range }, depsWith(changed), signal)
const acceptAll = async (times: number) => {
  for (let time = 0; time < times; time++) for (const who of people) await log.accept(who)
}
const ids = (of: string, key: string) =>
  publisher
    .read(of)
    .filter((record) => record.key === key)
    .map(({ headers }) => headers.ce_id)
const expectEach = async (from = 0, to?: number) => {
  const events = (await log.all()).slice(from, to)
  expect(publisher.read(topic)).toHaveLength(events.length)
  for (const who of people)
    expect(ids(topic, `contact-${who}`)).toEqual(
      events.filter(({ stream }) => stream === `contact-${who}`).map(({ id }) => id),
    )
}

describe('a backfill', () => {
  it('writes the range into a topic of its own, each event once and in order', async () => {
    await acceptAll(20)
    const seen: number[] = []
    expect(await fill({}, { onProgress: (done) => seen.push(done) })).toEqual({ isComplete: true, events: 60 })
    await expectEach()
    expect(seen.at(-1)).toBe(60)
    expect(await loadCheckpoint(database.pool, `backfill ${topic}`, 1)).toBe('')
    expect(await fill()).toEqual({ isComplete: true, events: 60 })
    await expectEach()
  })

  it('takes positions, types and times', async () => {
    await acceptAll(10)
    const events = await log.all()
    const [after, upTo] = [events[5]?.position, events[20]?.position]
    expect(await fill({ after, upTo })).toEqual({ isComplete: true, events: 15 })
    await expectEach(6, 21)
    const ofTime = (range: Partial<Range>) => backfill('other', { ...everything, ...range }, depsWith(), never)
    expect((await ofTime({ until: '2026-11-27T03:00:00.000Z' })).events).toBe(0)
    expect(publisher.read('other')).toEqual([])
    expect((await ofTime({ since: '2026-11-27T03:00:00.000Z' })).events).toBe(30)
  })

  it('goes on where it was broken or interrupted, without the checkpoint too', async () => {
    await acceptAll(20)
    for (const records of [7, 11, 13]) {
      publisher.breakAfter(records)
      const stopping = new AbortController()
      const broken = await fill({}, { onTrouble: () => stopping.abort() }, stopping.signal)
      expect(broken.isComplete).toBe(false)
    }
    expect(publisher.read(topic)).toHaveLength(31)
    publisher.breakAfter(5)
    expect(await fill()).toEqual({ isComplete: true, events: 60 })
    await expectEach()
  })

  it('leaves what is published beside it as it is, and ends at the end of its beginning', async () => {
    await acceptAll(10)
    const stopping = new AbortController()
    const publishing = publishTopic('contact', depsWith(), stopping.signal, new Map())
    let isOver = false
    const load = (async () => {
      while (!isOver) await acceptAll(1)
    })()
    const { isComplete, events } = await fill()
    isOver = true
    await load
    const { length } = await log.all()
    await until(() => publisher.read(live).length === length)
    stopping.abort()
    await publishing
    expect(isComplete).toBe(true)
    await expectEach(0, events)
    for (const who of people)
      expect(ids(live, `contact-${who}`)).toEqual(
        (await log.all()).filter(({ stream }) => stream === `contact-${who}`).map(({ id }) => id),
      )
  })

  it('has one writer at a time', async () => {
    await acceptAll(20)
    const both = await Promise.all([fill(), fill()])
    expect(both).toEqual([
      { isComplete: true, events: 60 },
      { isComplete: true, events: 60 },
    ])
    await expectEach()
  })

  it('refuses topics of something else, and what the log does not have', async () => {
    await acceptAll(5)
    const refused = (work: Promise<unknown>, sentence: RegExp) =>
      Promise.all([expect(work).rejects.toThrow(CannotBackfill), expect(work).rejects.toThrow(sentence)])
    await refused(backfill(live, everything, depsWith(), never), /published all the time/)
    await fill({ upTo: (await log.all())[4]?.position })
    await refused(fill(), /something else than this range/)
    await refused(fill({}, { logId: 'another' }), /something else than this range/)
    const far = '9'.repeat(19) as Position
    await refused(backfill('other', { ...everything, after: far }, depsWith(), never), /no event of this position/)
    await refused(backfill('other', { ...everything, types: ['prosa.nada.v1'] }, depsWith(), never), /prosa\.nada\.v1/)
  })

  it('says where the topic took another number than the range has', async () => {
    await acceptAll(5)
    const writer = await publisher.open(topic)
    await fill()
    const [record] = publisher.read(topic)
    const stray = { ...record, position: '' as Position, timestamp: 0, headers: record?.headers ?? {} }
    await writer.write([{ ...stray, key: 'x', value: '{}' }], never)
    await expect(fill()).rejects.toThrow('took 16 records, and the range has 15 events')
  })

  it('stops at what it cannot decode, with all before it written', async () => {
    await acceptAll(2)
    await log.appendUnknown('ana')
    await log.accept('bia')
    await expect(fill()).rejects.toThrow('OfALaterRelease')
    expect(publisher.read(topic)).toHaveLength(6)
  })
})
