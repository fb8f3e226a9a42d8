import { parseStream } from '@prosa/contracts/streams'
import type { Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { Pool } from 'pg'
import { claimMessageId, deleteMessageIds } from '../queries.ts'

/** WhatsApp identifies messages by nothing else; clients choose ids. */
export interface SentMessageIds {
  /** Returns the tenant; one of concurrent callers wins. Ids of unqueued messages stay claimed. */
  claim(tenant: string, messageId: string, chatId: string): Promise<string>
  forget(chatId: string): Promise<void>
}

export const sentMessageIds = (pool: Pool): SentMessageIds => ({
  claim: (tenant, messageId, chatId) => claimMessageId(pool, tenant, messageId, chatId),
  forget: (chatId) => deleteMessageIds(pool, chatId),
})

/** Rebuilds the table from the log. */
export const recordMessageIds = (ids: SentMessageIds): Reactor => {
  const remember = async ({ stream, metadata: { tenant } }: Stored, messageId: string) => {
    if (tenant) await ids.claim(tenant, messageId, parseStream(stream).id)
  }
  return {
    name: 'remember-message-ids',
    categories: ['chat'],
    key: ({ stream }) => stream,
    on: {
      MessageQueued: (event) => remember(event, event.data.messageId),
      ReactionQueued: (event) => remember(event, event.data.reactionId),
      EditQueued: (event) => remember(event, event.data.editId),
      DeletionQueued: (event) => remember(event, event.data.deletionId),
      ChatErased: ({ stream }) => ids.forget(parseStream(stream).id),
    },
  }
}
