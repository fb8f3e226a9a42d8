import type { WASocket } from '@whiskeysockets/baileys'

/**
 * Baileys keeps the latest 512 messages of each line in memory, received or sent, each with a timer, to send one again to whom it came
 * unreadable. All but what it asks of the own phone is in the outbox, from where `getMessage` has it, also after a restart.
 */
export const keepFewRecentMessages = ({ messageRetryManager }: Pick<WASocket, 'messageRetryManager'>): void => {
  if (!messageRetryManager) return
  const keep = messageRetryManager.addRecentMessage.bind(messageRetryManager)
  messageRetryManager.addRecentMessage = (to, id, message) => {
    if (message.protocolMessage) keep(to, id, message)
  }
}
