import { randomBytes, randomUUID } from 'node:crypto'
import type { EventMetadata } from '@prosa/contracts/events/metadata'
import { systemClock } from '../clock.ts'
import type { ConsumerStatuses } from '../consumers/engine/consumer-status.ts'
import type { Reactor } from '../consumers/reactors/reactor.ts'
import { type ReactorDeps, runReactor } from '../consumers/reactors/run-reactor.ts'
import { eventCodec } from '../event-store/codec.ts'
import type { EventStore, NewEvent } from '../event-store/port.ts'
import { silentLog } from '../observability/log.ts'
import type { TestPostgres } from '../postgres/testing.ts'
import { secretBox } from '../privacy/secret-box.ts'

const metadata: EventMetadata = {
  causationId: 'test',
  correlationId: 'test',
  actor: { kind: 'system', id: 'test' },
  tenant: 'tenant',
  schemaVersion: 1,
  recordedAt: '2026-11-21T12:00:00.000Z',
}

/** Accepts undecodable events. */
export const appendRaw = async (
  store: EventStore,
  stream: string,
  { type, data, schemaVersion = 1 }: Pick<NewEvent, 'type' | 'data'> & { schemaVersion?: number },
): Promise<string> => {
  let revision: bigint | 'no_stream' = 'no_stream'
  for await (const page of store.read(stream)) revision = page.at(-1)?.revision ?? revision
  const id = randomUUID()
  await store.append(stream, revision, [{ id, type, data, metadata: { ...metadata, schemaVersion } }])
  return id
}

export const nameContact = (store: EventStore, who: string, name: string): Promise<string> =>
  appendRaw(store, `contact-${who}`, { type: 'ContactNamed', data: { name } })

export const nameContactRepeatedly = (store: EventStore, who: string, times: number) =>
  store.append(
    `contact-${who}`,
    'no_stream',
    Array.from({ length: times }, (_, index) => ({
      id: randomUUID(),
      type: 'ContactNamed',
      data: { name: String(index) },
      metadata,
    })),
  )

const box = secretBox(randomBytes(32))

export const reactorDeps = (store: EventStore, database: TestPostgres): ReactorDeps => ({
  store,
  codec: eventCodec(),
  clock: systemClock,
  pool: database.pool,
  databaseUrl: database.url,
  box,
  log: silentLog(),
})

export const namingReactor = (name: string, react: (who: string, name: string) => Promise<void>): Reactor => ({
  name,
  categories: ['contact'],
  key: ({ stream }) => stream,
  on: { ContactNamed: ({ stream, data }) => react(stream.slice('contact-'.length), data.name) },
})

export const runningReactor = (reactor: Reactor, deps: ReactorDeps) => {
  const stopping = new AbortController()
  const statuses: ConsumerStatuses = new Map()
  const ended = runReactor(reactor, deps, stopping.signal, statuses)
  return {
    health: {
      get size() {
        return [...statuses.values()].filter(({ failing }) => failing).length
      },
    },
    async stop() {
      stopping.abort()
      await ended
    },
  }
}
