import type { BinaryNode, WASocket } from '@whiskeysockets/baileys'

type Handler = (stanza: BinaryNode) => unknown

/**
 * Baileys looks up addresses of a message before it waits for its turn to be decrypted, so that one message may overtake
 * another. Here each is handled to its end before the next begins. To be called before anybody else listens.
 */
export const handleMessagesInOrder = ({ ws }: WASocket, onFailure: (error: unknown) => void): void => {
  const handlers = ws.listeners('CB:message') as Handler[]
  ws.removeAllListeners('CB:message')
  let turn: Promise<unknown> = Promise.resolve()
  ws.on('CB:message', (stanza: BinaryNode) => {
    for (const handle of handlers) turn = turn.then(() => handle(stanza)).catch(onFailure)
  })
}
