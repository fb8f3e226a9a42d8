import { parseStream } from '@prosa/contracts/streams'
import { fileOf } from '@prosa/contracts/values/message-content'
import { decisionsAtOnce } from '@prosa/kernel/consumers/decisions-at-once'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import type { Entitlements } from '@prosa/product/entitlements/port'
import { conversationLines } from './conversation-line.ts'
import { withCountedLinksIn } from './counted-links.ts'
import type { ContactHandlers } from './handlers.ts'
import { chatIdsOf, chatWith, personAt } from './person.ts'
import type { SentMessageIds } from './sent-message-ids.ts'
import { jidOf } from './whatsapp-address.ts'

const name = 'queue-on-flow-message-requested'

type Handlers = Pick<ContactHandlers, 'contacts' | 'chats' | 'lines' | 'ownLines' | 'media'> & {
  messageIds: SentMessageIds
  entitlements: Entitlements
  /** Without it links are not counted. */
  publicUrl: string | undefined
}

/** An attendant's request would be refused. */
type Reason =
  | 'connection_removed'
  | 'connection_not_open'
  | 'access_ended'
  | 'email_not_confirmed'
  | 'no_message_left'
  | 'media_missing'

/** Once per id; waits while the line is down. Neither accepts nor marks seen (docs/decisions/0044-flows-and-contacts.md). */
export const queueOnFlowMessageRequested = (handlers: Handlers): Reactor => {
  const { chats, lines, media, messageIds, entitlements, publicUrl } = handlers

  const findReason = async (
    { content }: StoredOf<'FlowMessageRequested'>['data'],
    connectionId: string,
    owner: string,
  ): Promise<Reason | undefined> => {
    const line = await lines.load(connectionId, owner)
    if (line === 'absent') return 'connection_removed'
    if (line === 'unused') return 'connection_not_open'
    const { access, messages, mustConfirmEmail } = await entitlements.of(owner)
    if (access === 'ended') return 'access_ended'
    if (mustConfirmEmail) return 'email_not_confirmed'
    if (messages.limit !== null && messages.used >= messages.limit) return 'no_message_left'
    const file = fileOf(content)
    return file && (await media.load(file.id, owner)).status !== 'stored' ? 'media_missing' : undefined
  }

  return {
    name,
    categories: ['flowRun'],
    key: ({ stream }) => stream,
    atOnce: decisionsAtOnce,
    on: {
      async FlowMessageRequested(event) {
        const { owner } = event.metadata
        if (!owner) throw new Error('a run of a flow without an owner')
        const { messageId, content, links, typingSeconds, flowId, version, runId, nodeId } = event.data
        const person = await personAt(handlers, owner, parseStream(event.stream).id)
        if (person.state.status === 'absent' || person.state.status === 'erased') return
        // A merged contact's chat may have it already.
        if (await chatWith(handlers, owner, chatIdsOf(person), messageId)) return
        // The person may have changed lines since.
        const { current, hadOne } = await conversationLines(handlers, owner, person)
        const connectionId = current ?? event.data.connectionId
        // The connection may have a new number, unknown to the person.
        const isStranger = current === null && hadOne
        const code = isStranger ? 'connection_removed' : await findReason(event.data, connectionId, owner)
        await messageIds.claim(owner, messageId, person.id)
        const data = {
          messageId,
          connectionId,
          toJid: jidOf(person.state),
          content: publicUrl === undefined ? content : withCountedLinksIn(content, links, publicUrl),
          attendantId: owner,
          automatic: 'flow' as const,
          flow: { flowId, version, runId, nodeId },
          ...(typingSeconds > 0 && { typingSeconds }),
        }
        const context = { ...contextFor(name, event), actor: { kind: 'flow', id: flowId } as const }
        // Contacts erased concurrently get nothing.
        if (code) await chats(person.id, { type: 'RefuseMessage', data: { ...data, code } }, context)
        else await chats(person.id, { type: 'QueueMessage', data }, context)
      },
    },
  }
}
