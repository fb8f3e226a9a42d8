import { contactId as contactIdSchema } from '@prosa/contracts/values/ids'
import type { Ports } from '@prosa/kernel/ports'
import { ownerOfContact } from './owner-of-contact.ts'
import { contactOfRoom, contactRoom } from './rooms.ts'
import type { BrowserSocket } from './socket-server.ts'

const writingStates = new Set<unknown>(['typing', 'recording', 'paused'])
/** A typing state that a browser repeats sooner than this is dropped. */
const typingEveryMilliseconds = 500

/** Publishes once more which chats this browser has in view. */
export const watchAgain = (socket: BrowserSocket, { pubSub, log }: Pick<Ports, 'pubSub' | 'log'>): void => {
  for (const room of socket.rooms) {
    const contactId = contactOfRoom(room)
    if (!contactId) continue
    pubSub
      .publish('contact.opened', { owner: socket.data.userId, contactId })
      .catch((error: unknown) => log.warn({ err: error }, 'a chat in view was not pushed again'))
  }
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
        await socket.join(contactRoom(contactId))
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
    if (state === published && now - publishedAt < typingEveryMilliseconds) return
    publishedAt = now
    published = state
    pubSub.publish('contact.typing', { owner, contactId: contactId.data, state }).catch(troubled)
  })
}
