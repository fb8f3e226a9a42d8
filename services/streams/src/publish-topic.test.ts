import { systemClock } from '@prosa/kernel/clock'
import { removeCheckpoint } from '@prosa/kernel/consumers/engine/checkpoints'
import type { ConsumerStatuses } from '@prosa/kernel/consumers/engine/consumer-status'
import { eventCodec } from '@prosa/kernel/event-store/codec'
import type { EventStore } from '@prosa/kernel/event-store/port'
import { postgresEventStore } from '@prosa/kernel/event-store/postgres'
import { silentLog } from '@prosa/kernel/observability/log'
import type { TestPostgres } from '@prosa/kernel/postgres/testing'
import { kernelDatabase } from '@prosa/kernel/testing/kernel-database'
import { until } from '@prosa/kernel/testing/until'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type PublishDeps, publishTopic } from './publish-topic.ts'
import { contactLog } from './testing/contact-log.ts'
import { type MemoryPublisher, memoryPublisher } from './testing/memory-publisher.ts'
import { publishPlainly } from './testing/publish-plainly.ts'

const topic = 'prosa.contacts.contact'
const people = ['ana', 'bia', 'caio']

let database: TestPostgres
let store: EventStore
let log: ReturnType<typeof contactLog>
let publisher: MemoryPublisher
let running: { stop(): Promise<void> }[]

beforeEach(async () => {
  database = await kernelDatabase()
  store = await postgresEventStore({ url: database.url })
  log = contactLog(store)
  publisher = memoryPublisher()
  running = []
})
afterEach(async () => {
  await Promise.all(running.map(({ stop }) => stop()))
  await store.close()
  await database.drop()
})

const start = (changed: Partial<PublishDeps> = {}) => {
  const stopping = new AbortController()
  const statuses: ConsumerStatuses = new Map()
  const deps = {
    ...{ store, publisher, pool: database.pool, databaseUrl: database.url, silenceMs: 1500 },
    ...{ codec: eventCodec(), clock: systemClock, log: silentLog(), publish: publishPlainly },
    ...{ prefix: 'prosa', logId: 'log', pauseMs: () => 20 },
    ...changed,
  }
  const ended = publishTopic('contact', deps, stopping.signal, statuses)
  const one = {
    status: () => statuses.get(topic),
    trouble: () => until(() => statuses.get(topic)?.trouble?.reason),
    async stop() {
      stopping.abort()
      await ended
    },
  }
  running.push(one)
  return one
}

const acceptAll = async (times = 1) => {
  for (let time = 0; time < times; time++) for (const who of people) await log.accept(who)
}
const ids = (who: string) =>
  publisher
    .read(topic)
    .filter(({ key }) => key === `contact-${who}`)
    .map(({ headers }) => headers.ce_id)
const idsInLog = async (who: string) =>
  (await log.all()).filter(({ stream }) => stream === `contact-${who}`).map(({ id }) => id)
const everythingIsPublished = async () => {
  const { length } = await log.all()
  await until(() => publisher.read(topic).length >= length, 10_000)
  for (const who of people) expect(ids(who)).toEqual(await idsInLog(who))
}

describe('the writer of a topic', () => {
  it('publishes each event once and in order, with the attributes of CloudEvents', async () => {
    start()
    await acceptAll(20)
    await everythingIsPublished()
    const [first] = publisher.read(topic).filter(({ key }) => key === 'contact-ana')
    const [stored] = (await log.all()).filter(({ stream }) => stream === 'contact-ana')
    expect(first?.headers).toEqual({
      'content-type': 'application/json',
      ce_specversion: '1.0',
      ce_id: stored?.id,
      ce_source: '/prosa/contacts',
      ce_type: 'prosa.contacts.conversation-accepted.v1',
      ce_subject: 'contact-ana',
      ce_time: '2026-11-27T03:00:00.000Z',
      ce_position: stored?.position,
      ce_revision: '0',
      ce_tenant: 'tenant',
      ce_actor: 'system',
      prosa_log: 'log',
    })
    expect(JSON.parse(first?.value ?? '')).toMatchObject({ contactId: 'ana' })
  })

  it('writes nothing twice after a restart, even where the checkpoint is lost', async () => {
    const first = start()
    await acceptAll(5)
    await everythingIsPublished()
    await first.stop()
    await removeCheckpoint(database.pool, `stream ${topic}`)
    await acceptAll(5)
    start()
    await everythingIsPublished()
  })

  it('fills what a broken write left out, and no more', async () => {
    await acceptAll(10)
    publisher.breakAfter(7)
    start()
    await everythingIsPublished()
  })

  it('catches up when the broker was away for long', async () => {
    publisher.refuse(true)
    const one = start()
    await acceptAll(3)
    expect(await one.trouble()).toBe('PublishingFailed')
    await acceptAll(3)
    publisher.refuse(false)
    await everythingIsPublished()
    await until(() => one.status()?.trouble === undefined)
    publisher.refuse(true)
    await acceptAll(3)
    await one.trouble()
    publisher.refuse(false)
    await everythingIsPublished()
  })

  it('does not repeat what retention removed', async () => {
    const first = start()
    await acceptAll(5)
    await everythingIsPublished()
    await first.stop()
    publisher.expire(topic)
    await acceptAll(1)
    const second = start()
    await until(() => publisher.read(topic).length === people.length)
    await second.stop()
    for (const who of people) expect(ids(who)).toEqual((await idsInLog(who)).slice(-1))
  })

  it('fills a topic that was deleted from the beginning', async () => {
    const first = start()
    await acceptAll(5)
    await everythingIsPublished()
    await first.stop()
    publisher = memoryPublisher()
    start()
    await everythingIsPublished()
  })

  it('refuses a topic of another log, and one that is ahead of the log since a backup was restored', async () => {
    const first = start()
    await acceptAll(5)
    await everythingIsPublished()
    await first.stop()
    const stranger = start({ logId: 'another' })
    expect(await stranger.trouble()).toBe('TopicOfAnotherLog')
    await stranger.stop()
    const before = publisher.read(topic)

    const restored = await kernelDatabase()
    const earlier = await postgresEventStore({ url: restored.url })
    try {
      await contactLog(earlier).accept('ana')
      const one = start({ store: earlier, pool: restored.pool, databaseUrl: restored.url })
      expect(await one.trouble()).toBe('TopicOfAnotherLog')
      await one.stop()
      expect(publisher.read(topic)).toEqual(before)
    } finally {
      await earlier.close()
      await restored.drop()
    }
  })

  it('stops at what it cannot decode, with all before it published and nothing behind it', async () => {
    await acceptAll(2)
    await log.appendUnknown('ana')
    await log.accept('bia')
    const one = start()
    expect(await one.trouble()).toBe('UndecodableEvent')
    expect(publisher.read(topic)).toHaveLength(2 * people.length)
    await one.stop()
    // As a later release, which knows the type.
    const { decode, ...codec } = eventCodec()
    start({
      codec: { ...codec, decode: (page) => decode(page.filter(({ type }) => type !== 'OfALaterRelease')) },
    })
    await until(() => publisher.read(topic).length === 2 * people.length + 1)
    expect(ids('bia')).toEqual(await idsInLog('bia'))
  })

  it('is one of all processes, and another takes over', async () => {
    const first = start()
    await acceptAll(2)
    await everythingIsPublished()
    const second = start()
    await acceptAll(2)
    await everythingIsPublished()
    expect(second.status()?.state).toBe('waiting')
    await first.stop()
    await acceptAll(2)
    await everythingIsPublished()
    await until(() => second.status()?.state === 'following')
  })
})
