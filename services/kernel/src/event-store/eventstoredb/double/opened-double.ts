import { onTestFinished } from 'vitest'
import { event } from '../../contract/samples.ts'
import { type EventStoreDbEventStoreOptions, eventStoreDbEventStore } from '../../eventstoredb.ts'
import { type Batch, beginning, type EventStore } from '../../port.ts'
import { EventStoreDbDouble } from './event-store-db-double.ts'

export const startDouble = async () => {
  const server = await new EventStoreDbDouble().start()
  onTestFinished(() => server.kill())
  return server
}

export const openStore = async (url: string, options: Partial<EventStoreDbEventStoreOptions> = {}) => {
  const troubles: unknown[] = []
  const onTrouble = (error: unknown) => troubles.push(error)
  const store = await eventStoreDbEventStore({ url, answerMs: 1000, onTrouble, ...options })
  onTestFinished(() => store.close())
  return { store, troubles }
}

export const opened = async (options?: Partial<EventStoreDbEventStoreOptions>) => {
  const server = await startDouble()
  return { server, ...(await openStore(server.url, options)) }
}

export const follow = (store: EventStore, category: string, busy?: () => Promise<void>) => {
  const stop = new AbortController()
  const batches: Batch[] = []
  const ended = (async () => {
    for await (const batch of store.subscribe(beginning, { categories: [category] }, stop.signal)) {
      batches.push(batch)
      await busy?.()
    }
  })()
  onTestFinished(async () => {
    stop.abort()
    await ended
  })
  return {
    ids: () => batches.flatMap(({ events }) => events.map(({ id }) => id)),
    isLive: () => batches.at(-1)?.live === true,
  }
}

export const many = (count: number) => Array.from({ length: count }, () => event())
export const idsOf = (events: readonly { id: string }[]) => events.map(({ id }) => id)
