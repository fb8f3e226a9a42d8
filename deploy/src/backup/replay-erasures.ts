import { setMaxListeners } from 'node:events'
import { billingHandlers } from '@prosa/billing/handlers'
import { receiveOnMessageArrived } from '@prosa/contacts/chat/receive-on-message-arrived'
import { forgetOnContactErased } from '@prosa/contacts/contact/forget-on-contact-erased'
import { settleOnContactAbsorbed } from '@prosa/contacts/contact/settle-on-contact-absorbed'
import { contactsOfTenant, tenantContacts } from '@prosa/contacts/contact/tenant-contacts'
import { eraseOnUserErased } from '@prosa/contacts/erase-on-user-erased'
import { contactHandlers } from '@prosa/contacts/handlers'
import type { Subject } from '@prosa/contracts/events/subjects'
import { type Category, categories, streamName } from '@prosa/contracts/streams'
import { openAccounts } from '@prosa/identity/accounts/accounts'
import { pause } from '@prosa/kernel/async/pause'
import type { ConsumerStatuses } from '@prosa/kernel/consumers/engine/consumer-status'
import { keepReadModels, readModel } from '@prosa/kernel/consumers/projections/keep-read-models'
import { runReactor } from '@prosa/kernel/consumers/reactors/run-reactor'
import { deriveId } from '@prosa/kernel/derive-id'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import type { EventStore, Position } from '@prosa/kernel/event-store/port'
import type { Ports } from '@prosa/kernel/ports'

const name = 'restore'

const contextOf = (subject: Subject, tenant: string | null): CommandContext => {
  const commandId = deriveId(name, subject)
  return { commandId, actor: { kind: 'system', id: name }, tenant, causationId: commandId, correlationId: commandId }
}

/** Undefined if the restored log does not know the stream: it began after the backup. */
const tenantOf = async (store: EventStore, category: Category, id: string): Promise<string | null | undefined> => {
  for await (const [event] of store.read(streamName(category, id), { max: 1 })) return event?.metadata.tenant
  return undefined
}

/** Records the erasures of the journal that the restored log does not have. Returns how many subjects it found. */
const recordErasures = async (ports: Ports, subjects: Iterable<Subject>): Promise<number> => {
  const { store, subjectKeys } = ports
  const { contacts } = contactHandlers(ports)
  const { users } = openAccounts(ports)
  const { orders } = billingHandlers(ports)
  let found = 0

  for (const subject of subjects) {
    const [kind = '', id = ''] = subject.split(':')
    if (kind === 'delivery' || kind === 'refusals') {
      found += await subjectKeys.erase([subject])
      continue
    }
    if (kind !== 'contact' && kind !== 'user' && kind !== 'order') continue
    const tenant = await tenantOf(store, kind, id)
    if (tenant === undefined) continue
    const context = contextOf(subject, tenant)
    const outcome =
      kind === 'contact'
        ? await contacts(id, { type: 'EraseContact', data: {} }, context)
        : kind === 'user'
          ? await users(id, { type: 'EraseUser', data: {} }, context)
          : await orders(id, { type: 'EraseBuyer', data: {} }, context)
    if (!outcome.ok) throw new Error(`${kind} ${id} could not be erased: ${outcome.rejected}`)
    if (kind === 'order') await subjectKeys.erase([subject])
    found++
  }
  return found
}

const everyCategory = Object.keys(categories)
const pollMs = 50

/** From `after` on only the tail is read. */
const endOf = async (store: EventStore, after: Position): Promise<Position> => {
  let end = after
  for await (const { upTo } of store.readAll(after, { categories: everyCategory })) end = upTo
  return end
}

/** Until every reactor stands at the end of the log, to which they append themselves. */
const settle = async (store: EventStore, statuses: ConsumerStatuses, signal: AbortSignal): Promise<void> => {
  for (let last: Position | undefined; ; await pause(pollMs, signal)) {
    const positions = [...statuses.values()].map(({ position }) => position)
    const slowest = positions.reduce((one, other) =>
      one === undefined || other === undefined || one < other ? one : other,
    )
    if (slowest === undefined || [...statuses.values()].some(({ inFlight }) => inFlight > 0)) continue
    const end = await endOf(store, slowest)
    if (slowest >= end && end === last) return
    last = end
  }
}

/**
 * The checkpoint of who receives messages may be older than the messages that chats have: read again after an erasure had released the
 * address, they would make the person a new contact. So contacts' reactors catch up first; then the erasures of the journal are recorded,
 * and completed by the same reactors as after any erasure, keys last. Rows of read models and files go when the product starts.
 */
export const replayErasures = async (ports: Ports, subjects: ReadonlySet<Subject>): Promise<number> => {
  const handlers = contactHandlers(ports)
  const reactors = [
    receiveOnMessageArrived(handlers),
    settleOnContactAbsorbed(handlers),
    forgetOnContactErased(handlers),
    eraseOnUserErased(handlers, contactsOfTenant(ports)),
  ]
  const stopping = new AbortController()
  setMaxListeners(0, stopping.signal)
  const statuses: ConsumerStatuses = new Map()
  const { run } = await keepReadModels([readModel(tenantContacts)], ports)
  const running = Promise.all([
    run(stopping.signal),
    ...reactors.map((reactor) => runReactor(reactor, ports, stopping.signal, statuses)),
  ])
  try {
    await settle(ports.store, statuses, stopping.signal)
    const found = await recordErasures(ports, subjects)
    await settle(ports.store, statuses, stopping.signal)
    return found
  } finally {
    stopping.abort()
    await running
    await ports.snapshots.drain()
  }
}
