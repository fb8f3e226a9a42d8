import { parseStream } from '@prosa/contracts/streams'
import type { Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { Pool } from 'pg'
import { claimMessageId, deleteMessageIds } from './queries.ts'

/** Which chat of a tenant each id of an outgoing message belongs to. Clients choose ids, and WhatsApp knows a message by nothing else. */
export interface SentMessageIds {
  /**
   * Gives the id to this chat unless another has it, and answers whose it is. Of several callers at once one wins. An id whose
   * message was then not queued stays with its chat.
   */
  claim(owner: string, messageId: string, chatId: string): Promise<string>
  /** Frees the ids of a chat that was erased. */
  forget(chatId: string): Promise<void>
}

export const sentMessageIds = (pool: Pool): SentMessageIds => ({
  claim: (owner, messageId, chatId) => claimMessageId(pool, owner, messageId, chatId),
  forget: (chatId) => deleteMessageIds(pool, chatId),
})

/** Reads the ids from the log: those of an earlier version, and all of them where the table was lost. */
export const rememberMessageIds = (ids: SentMessageIds): Reactor => {
  const remember = async ({ stream, metadata: { owner } }: Stored, messageId: string) => {
    if (owner) await ids.claim(owner, messageId, parseStream(stream).id)
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
