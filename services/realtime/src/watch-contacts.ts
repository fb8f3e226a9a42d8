import { streamName } from '@prosa/contracts/streams'
import { contactId as contactIdSchema } from '@prosa/contracts/values/ids'
import type { EventStore } from '@prosa/kernel/event-store/port'
import type { Ports } from '@prosa/kernel/ports'
import { contactOfRoom, contactRoom } from './rooms.ts'
import type { BrowserSocket } from './socket-server.ts'

const writingStates = new Set<unknown>(['typing', 'recording', 'paused'])
/** Faster repetitions of a typing state are dropped. */
const typingEveryMs = 500

/** A browser shows one chat. The oldest is dropped. */
const maxInView = 10

const roomsInView = (socket: BrowserSocket): string[] =>
  [...socket.rooms].filter((room) => contactOfRoom(room) !== undefined)

export const watchAgain = (sockets: Iterable<BrowserSocket>, { pubSub, log }: Pick<Ports, 'pubSub' | 'log'>): void => {
  const tenants = new Map<string, string>()
  for (const socket of sockets)
    for (const room of roomsInView(socket)) tenants.set(contactOfRoom(room) ?? '', socket.data.userId)
  for (const [contactId, tenant] of tenants)
    pubSub
      .publish('contact.opened', { tenant, contactId })
      .catch((error: unknown) => log.warn({ err: error }, 'a chat in view was not pushed again'))
}

/** From the first event of its stream. */
const tenantOfContact = async (store: EventStore, id: unknown): Promise<string | undefined> => {
  const known = contactIdSchema.safeParse(id)
  if (!known.success) return undefined
  for await (const [first] of store.read(streamName('contact', known.data))) return first?.metadata.tenant ?? undefined
  return undefined
}

/** Only for contacts of the browser's own tenant. */
export const watchContacts = (socket: BrowserSocket, { store, log, pubSub }: Ports): void => {
  const { userId: tenant } = socket.data
  let publishedAt = 0
  let published: string | undefined
  const troubled = (error: unknown) => log.warn({ err: error }, 'browser event not forwarded')

  socket.on('contact:open', async (given, acknowledge) => {
    const answer = (joined: boolean) => typeof acknowledge === 'function' && acknowledge(joined)
    try {
      const isOwn = (await tenantOfContact(store, given)) === tenant
      if (isOwn) {
        const contactId = contactIdSchema.parse(given)
        // Reopened: now the latest.
        await socket.leave(contactRoom(contactId))
        await socket.join(contactRoom(contactId))
        for (const room of roomsInView(socket).slice(0, -maxInView)) await socket.leave(room)
        pubSub.publish('contact.opened', { tenant, contactId }).catch(troubled)
      }
      answer(isOwn)
    } catch (error) {
      log.warn({ err: error }, 'a chat could not be opened')
      answer(false)
    }
  })

  // An exception in a listener would end the process, so input is parsed first.
  socket.on('contact:close', (given) => {
    const contactId = contactIdSchema.safeParse(given)
    if (contactId.success) void socket.leave(contactRoom(contactId.data))
  })

  socket.on('contact:typing', (given, state) => {
    const contactId = contactIdSchema.safeParse(given)
    if (!contactId.success || !writingStates.has(state) || !socket.rooms.has(contactRoom(contactId.data))) return
    const now = performance.now()
    if (state === published && now - publishedAt < typingEveryMs) return
    publishedAt = now
    published = state
    pubSub.publish('contact.typing', { tenant, contactId: contactId.data, state }).catch(troubled)
  })
}
