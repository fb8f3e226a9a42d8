import { streamName } from '@prosa/contracts/streams'
import type { MessageContent, QuotedMessage } from '@prosa/contracts/values/message-content'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { ContactHandlers } from '../handlers.ts'
import { type Chat, wordsAt } from './chat-state.ts'

const maxQuoteLength = 1024

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

/** Reads only that position. */
export const eventAt = async (
  { store, codec }: Pick<ContactHandlers, 'store' | 'codec'>,
  chatId: string,
  revision: number,
): Promise<Stored> => {
  for await (const page of store.read(streamName('chat', chatId), { from: BigInt(revision), max: 1 })) {
    const [event] = await codec.decode(page)
    if (event) return event
  }
  throw new Error('a chat names a revision that its stream lacks')
}

export const contentAt = async (
  log: Pick<ContactHandlers, 'store' | 'codec'>,
  chatId: string,
  revision: number,
  messageId: string,
): Promise<MessageContent> => {
  const { data } = await eventAt(log, chatId, revision)
  if ('content' in data && 'messageId' in data && data.messageId === messageId && typeof data.content !== 'string')
    return data.content
  throw new Error('a message is not at the revision that its chat names')
}

/** The current text; undefined if deleted. */
export const quote = async (
  log: Pick<ContactHandlers, 'store' | 'codec'>,
  { id, chat }: { id: string; chat: Chat },
  messageId: string,
): Promise<QuotedMessage | undefined> => {
  const revision = wordsAt(chat, messageId)
  if (revision === undefined) return undefined
  const content = await contentAt(log, id, revision, messageId)
  return { messageId, text: [...wordsOf(content)].slice(0, maxQuoteLength).join('') }
}
