import { streamName } from '@prosa/contracts/streams'
import type { MessageContent, QuotedMessage } from '@prosa/contracts/values/message-content'
import { type Chat, wordsAt } from './chat.ts'
import type { ContactHandlers } from './handlers.ts'

const longestQuote = 1024

const wordsOf = (content: MessageContent): string => {
  switch (content.kind) {
    case 'text':
      return content.text
    case 'image':
      return content.caption || 'Foto'
    case 'video':
      return content.caption || 'Vídeo'
    case 'audio':
      return content.voice ? 'Mensagem de voz' : 'Áudio'
    case 'document':
      return content.caption || content.fileName
    case 'sticker':
      return 'Figurinha'
    case 'unsupported':
      return 'Mensagem'
  }
}

/**
 * A message of a chat as an answer to it quotes it, with the words that it has now; undefined when there is no such message, or
 * its writer took it back. The chat knows at which place of its stream they stand, so only that place is read.
 */
export const quote = async (
  { store, codec }: Pick<ContactHandlers, 'store' | 'codec'>,
  { id, chat }: { id: string; chat: Chat },
  messageId: string,
): Promise<QuotedMessage | undefined> => {
  const revision = wordsAt(chat, messageId)
  if (revision === undefined) return undefined
  for await (const page of store.read(streamName('chat', id), { from: BigInt(revision), most: 1 })) {
    const [event] = await codec.decode(page)
    if (!event || !('content' in event.data) || !('messageId' in event.data)) break
    if (event.data.messageId !== messageId || typeof event.data.content === 'string') break
    return { messageId, text: [...wordsOf(event.data.content)].slice(0, longestQuote).join('') }
  }
  throw new Error('a message does not stand where its chat remembers it')
}
