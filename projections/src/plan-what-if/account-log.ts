import type { EventType } from '@prosa/contracts/events/all-events'
import { type Category, streamName } from '@prosa/contracts/streams'
import type { Instant } from '@prosa/contracts/values/instant'
import type { TimeSlice } from '@prosa/kernel/async/time-slice'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { Ports } from '@prosa/product/ports'
import type { AccessEvent, OrderEvent } from './changed-access.ts'
import { findChatsWithSends, findConnectionIds } from './queries.ts'

export const maxChats = 2000

type LogPorts = Pick<Ports, 'store' | 'codec' | 'pool'>

const decoded = async ({ store, codec }: LogPorts, stream: string, slice: TimeSlice): Promise<Stored[]> => {
  const found: Stored[] = []
  for await (const page of store.read(stream)) {
    if (slice.isDue()) await slice.turn()
    found.push(...(await codec.decode(page)))
  }
  return found
}

export const accessEventsOf = async (ports: LogPorts, tenant: string, slice: TimeSlice): Promise<AccessEvent[]> =>
  (await decoded(ports, streamName('subscription', tenant), slice)) as AccessEvent[]

/** By order id, of all orders that ever gave or took access. */
export const ordersOf = async (
  ports: LogPorts,
  events: readonly AccessEvent[],
  slice: TimeSlice,
): Promise<ReadonlyMap<string, OrderEvent[]>> => {
  const ids = new Set(events.flatMap(({ data }) => ('orderId' in data ? data.orderId : [])))
  const found = new Map<string, OrderEvent[]>()
  for (const id of ids) found.set(id, (await decoded(ports, streamName('order', id), slice)) as OrderEvent[])
  return found
}

/** Nothing in them is personal: they are not decrypted. */
const plainEvents = async (
  { store }: LogPorts,
  stream: string,
  types: readonly EventType[],
  since: Instant,
  slice: TimeSlice,
): Promise<Stored[]> => {
  const found: Stored[] = []
  for await (const page of store.readBack(stream)) {
    if (slice.isDue()) await slice.turn()
    for (const event of page)
      if ((types as readonly string[]).includes(event.type) && event.metadata.recordedAt >= since)
        found.push(event as unknown as Stored)
    if (page.some(({ metadata }) => metadata.recordedAt < since)) break
  }
  return found
}

const ofCategory = (category: Category, ids: readonly string[]) => ids.map((id) => streamName(category, id))

/** What an account's usage follows from beside its subscription: connections ever, and sends since a moment. */
export const usedEventsOf = async (
  ports: LogPorts,
  tenant: string,
  since: Instant,
  slice: TimeSlice,
): Promise<{ events: Stored[]; isCut: boolean }> => {
  const chats = await findChatsWithSends(ports.pool, tenant, since, maxChats + 1)
  const connections = ofCategory('connection', await findConnectionIds(ports.pool, tenant))
  const events: Stored[] = []
  for (const stream of connections)
    events.push(...(await plainEvents(ports, stream, ['ConnectionAdded', 'ConnectionRemoved'], '', slice)))
  for (const stream of ofCategory('chat', chats.slice(0, maxChats)))
    events.push(...(await plainEvents(ports, stream, ['MessageQueued'], since, slice)))
  return { events, isCut: chats.length > maxChats }
}
