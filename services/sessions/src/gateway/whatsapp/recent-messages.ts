import type { WASocket } from '@whiskeysockets/baileys'

/**
 * Baileys caches 512 messages of each line, each with a timer. Only requests to the user's phone need that: `getMessage` reads the rest
 * from the outbox.
 */
export const limitRecentMessages = ({ messageRetryManager }: Pick<WASocket, 'messageRetryManager'>): void => {
  if (!messageRetryManager) return
  const add = messageRetryManager.addRecentMessage.bind(messageRetryManager)
  messageRetryManager.addRecentMessage = (to, id, message) => {
    if (message.protocolMessage) add(to, id, message)
  }
}
