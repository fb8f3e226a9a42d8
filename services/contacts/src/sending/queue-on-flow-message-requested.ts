import { parseStream } from '@prosa/contracts/streams'
import { decisionsAtOnce } from '@prosa/kernel/consumers/decisions-at-once'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { Entitlements } from '@prosa/product/entitlements/port'
import type { SentMessageIds } from '../chat/sent-message-ids.ts'
import { chatIdsOf, chatWith, personAt } from '../contact/person.ts'
import { jidOf } from '../contact/whatsapp-address.ts'
import type { ContactHandlers } from '../handlers.ts'
import { withCountedLinksIn } from './counted-links.ts'
import { sendingPolicy } from './sending-policy.ts'

const name = 'queue-on-flow-message-requested'

type Handlers = Pick<ContactHandlers, 'contacts' | 'chats' | 'lines' | 'ownLines' | 'media'> & {
  messageIds: SentMessageIds
  entitlements: Entitlements
  /** Without it links are not counted. */
  publicUrl: string | undefined
}

/** Once per id; waits while the line is down. Neither accepts nor marks seen (docs/decisions/0044-flows-and-contacts.md). */
export const queueOnFlowMessageRequested = (handlers: Handlers): Reactor => {
  const { chats, messageIds, publicUrl } = handlers
  const policy = sendingPolicy(handlers)

  return {
    name,
    categories: ['flowRun'],
    key: ({ stream }) => stream,
    atOnce: decisionsAtOnce,
    on: {
      async FlowMessageRequested(event) {
        const { tenant } = event.metadata
        if (!tenant) throw new Error('a run of a flow without a tenant')
        const { messageId, content, links, typingSeconds, flowId, version, runId, nodeId } = event.data
        const person = await personAt(handlers, tenant, parseStream(event.stream).id)
        if (person.state.status === 'absent' || person.state.status === 'erased') return
        // A merged contact's chat may have it already.
        if (await chatWith(handlers, tenant, chatIdsOf(person), messageId)) return
        const { connectionId, obstacle: code } = await policy.ofFlow(tenant, person, event.data)
        await messageIds.claim(tenant, messageId, person.id)
        const data = {
          messageId,
          connectionId,
          toJid: jidOf(person.state),
          content: publicUrl === undefined ? content : withCountedLinksIn(content, links, publicUrl),
          ...policy.senders.flow(tenant),
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
