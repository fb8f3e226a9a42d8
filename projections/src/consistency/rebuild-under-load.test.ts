import { loadCheckpoint } from '@prosa/kernel/consumers/engine/checkpoints'
import type { ConsumerStatuses } from '@prosa/kernel/consumers/engine/consumer-status'
import { prepareReadModel } from '@prosa/kernel/consumers/projections/prepare-read-model'
import { runProjection } from '@prosa/kernel/consumers/projections/run-projection'
import { foldOfLog, storedRows } from '@prosa/kernel/consumers/testing/fold-of-log'
import { idOf, testLog } from '@prosa/kernel/consumers/testing/test-log'
import { deriveId } from '@prosa/kernel/derive-id'
import type { Position } from '@prosa/kernel/event-store/port'
import { postgresEventStore } from '@prosa/kernel/event-store/postgres'
import { createApp } from '@prosa/kernel/http/app'
import { sessionCookie } from '@prosa/kernel/http/sign-in/browser-sessions'
import { noteMeasurements, shortOrLong } from '@prosa/kernel/testing/long-form'
import { until } from '@prosa/kernel/testing/until'
import { testPorts } from '@prosa/product/testing/test-ports'
import { expect, it } from 'vitest'
import { connections } from '../connections/projection.ts'
import { contactList } from '../contact-list/projection.ts'
import { contactListRoutes } from '../contact-list/routes.ts'
import { labels } from '../labels/projection.ts'
import { fillLog } from '../testing/fill-log.ts'
import { isHiding, oneOfEach } from '../testing/one-of-each-event.ts'

const events = Number(process.env.PROSA_REBUILD_EVENTS ?? shortOrLong(3000, 500_000))
const readers = 4

const next = { ...contactList, version: contactList.version + 1 }
const lived = oneOfEach('').filter((event) => !isHiding(event))

const eventOf = (_: string, revision: number) => {
  const all = oneOfEach(`M${Math.floor(revision / lived.length)}`).filter((event) => !isHiding(event))
  const event = all[revision % all.length]
  if (!event) throw new Error('nothing can happen to a contact')
  return event
}

const quantile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN

it(`the contact list of ${events} events is rebuilt while it is read and written: no request fails, and it equals the fold`, {
  timeout: 1_800_000,
}, async () => {
  const ports = await testPorts()
  const { pool } = ports
  const store = await postgresEventStore({ url: ports.databaseUrl })
  const tenant = idOf('owner')
  const { codec, append } = testLog(store)
  await fillLog({ store, codec }, { events, tenant, eventOf, streamOf: (contactId) => `contact-${contactId}` })
  const deps = { ...ports, store, codec }

  const following = async (projection: typeof contactList) => {
    const stopping = new AbortController()
    const statuses: ConsumerStatuses = new Map()
    const running = runProjection(projection, deps, stopping.signal, statuses)
    // Polling may miss it under load.
    await until(() => statuses.get(projection.name)?.caughtUpAt, 600_000)
    return {
      stop: async () => {
        stopping.abort()
        await running
      },
    }
  }

  await prepareReadModel(pool, labels)
  await prepareReadModel(pool, connections)
  const old = await following(contactList)
  await old.stop()
  await prepareReadModel(pool, next)

  const app = await createApp({ ...deps, trustedOrigins: [], limitScale: 1e9 })
  await app.register(contactListRoutes(deps))
  const cookie = `${sessionCookie}=${(await ports.browserSessions.issue(tenant)).token}`
  const known = idOf('contact 0')
  const addresses = [
    '/api/whatsapp/contacts',
    '/api/whatsapp/contacts?status=waiting',
    '/api/whatsapp/contacts?search=ze',
    `/api/whatsapp/contacts/${known}`,
    '/api/whatsapp/contact-counts',
  ]
  let isOver = false
  const failed: string[] = []
  const delays: number[] = []
  const read = async (reader: number) => {
    for (let turn = reader; !isOver; turn++) {
      const url = addresses[turn % addresses.length] ?? ''
      const position = turn % 2 === 0 && latest ? app.positions.tokenOf(tenant, latest as Position) : ''
      const sent = performance.now()
      const { statusCode, body } = await app.inject({ url, headers: { cookie, 'prosa-position': position } })
      delays.push(performance.now() - sent)
      if (statusCode !== 200 || body === '[]') failed.push(`${statusCode} ${url} ${body.slice(0, 200)}`)
    }
  }
  let latest = ''
  let appended = 0
  const write = async () => {
    for (; !isOver; appended++) {
      const stream = `chat-${idOf(`contact ${appended % 20}`)}`
      const messageId = deriveId('written', appended)
      const [event] = oneOfEach(messageId).filter(({ type }) => type === 'MessageReceived')
      if (event) latest = await append(tenant, stream, event)
    }
  }
  const busy = [write(), ...Array.from({ length: readers }, (_, reader) => read(reader))]
  await until(async () => delays.length >= addresses.length * readers, 60_000)

  const began = performance.now()
  const renewed = await following(next)
  const ms = Math.round(performance.now() - began)
  const seen = delays.length
  await until(async () => delays.length >= seen + addresses.length * readers, 60_000)
  isOver = true
  await Promise.all(busy)
  await until(async () => (await loadCheckpoint(pool, next.name, next.version)) >= latest, 60_000)
  await renewed.stop()

  noteMeasurements('contact list rebuilt under load', {
    events,
    ms,
    'events per second': Math.round((events / ms) * 1000),
    requests: delays.length,
    failed: failed.length,
    'request p50 ms': Math.round(quantile(delays, 0.5)),
    'request p99 ms': Math.round(quantile(delays, 0.99)),
    'slowest request ms': Math.round(quantile(delays, 1)),
    'appended meanwhile': appended,
  })
  expect(failed).toEqual([])
  expect(appended).toBeGreaterThan(0)
  const end = await loadCheckpoint(pool, next.name, next.version)
  expect(await storedRows(pool, next.table)).toEqual(await foldOfLog(next, { store, codec }, end))
  await app.close()
  await store.close()
  await ports.close()
})
