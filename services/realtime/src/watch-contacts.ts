import { contactId as contactIdSchema } from '@prosa/contracts/values/ids'
import type { Ports } from '@prosa/kernel/ports'
import { ownerOfContact } from './owner-of-contact.ts'
import { contactOfRoom, contactRoom } from './rooms.ts'
import type { BrowserSocket } from './socket-server.ts'

const writingStates = new Set<unknown>(['typing', 'recording', 'paused'])
/** A typing state that a browser repeats sooner than this is dropped. */
const typingEveryMs = 500

/** Chats that one browser has in view, at most: it shows one. What it opened longest ago is in view no more. */
const maxInView = 10

/** The rooms of the chats that a browser has in view, from the one that it opened first. */
const roomsInView = (socket: BrowserSocket): string[] =>
  [...socket.rooms].filter((room) => contactOfRoom(room) !== undefined)

/** Publishes once more which chats these browsers have in view, each once, however many have it. */
export const watchAgain = (sockets: Iterable<BrowserSocket>, { pubSub, log }: Pick<Ports, 'pubSub' | 'log'>): void => {
  const owners = new Map<string, string>()
  for (const socket of sockets)
    for (const room of roomsInView(socket)) owners.set(contactOfRoom(room) ?? '', socket.data.userId)
  for (const [contactId, owner] of owners)
    pubSub
      .publish('contact.opened', { owner, contactId })
      .catch((error: unknown) => log.warn({ err: error }, 'a chat in view was not pushed again'))
}

/** A browser may report which chat is in view, and that somebody writes there; only its own subscriber's. */
export const watchContacts = (socket: BrowserSocket, { store, log, pubSub }: Ports): void => {
  const { userId: owner } = socket.data
  let publishedAt = 0
  let published: string | undefined
  const troubled = (error: unknown) => log.warn({ err: error }, 'what a browser sent was not passed on')

  socket.on('contact:open', async (given, acknowledge) => {
    const answer = (joined: boolean) => typeof acknowledge === 'function' && acknowledge(joined)
    try {
      const isOwn = (await ownerOfContact(store, given)) === owner
      if (isOwn) {
        const contactId = contactIdSchema.parse(given)
        // Opened again, it is the last one.
        await socket.leave(contactRoom(contactId))
        await socket.join(contactRoom(contactId))
        for (const room of roomsInView(socket).slice(0, -maxInView)) await socket.leave(room)
        pubSub.publish('contact.opened', { owner, contactId }).catch(troubled)
      }
      answer(isOwn)
    } catch (error) {
      log.warn({ err: error }, 'a chat could not be opened')
      answer(false)
    }
  })

  // Whatever a listener throws would end the process, with everybody in it: nothing that is given is touched unread.
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
    pubSub.publish('contact.typing', { owner, contactId: contactId.data, state }).catch(troubled)
  })
}
