import { streamName } from '@prosa/contracts/streams'
import type { MessageContent } from '@prosa/contracts/values/message-content'
import type { Position } from '@prosa/kernel/event-store/port'
import type { Ports } from '@prosa/kernel/ports'
import type { MediaKind } from './accepted-type.ts'
import type { MediaSource } from './media-address.ts'
import type { WantedMedia } from './queries.ts'

export interface MessageWithFile {
  kind: MediaKind
  source: MediaSource | null
  /** As the sender claims. */
  bytes: number
  connectionId: string
  messageId: string
  fromMe: boolean
  position: Position
}

/** undefined once the contact was erased. */
export const messageOf = async (
  { store, codec }: Pick<Ports, 'store' | 'codec'>,
  { contactId, revision }: WantedMedia,
): Promise<MessageWithFile | undefined> => {
  for await (const page of store.read(streamName('chat', contactId), { from: revision })) {
    const [event] = await codec.decode(page.slice(0, 1))
    if (event?.type !== 'MessageReceived' && event?.type !== 'MessageSentElsewhere') return undefined
    const { connectionId, messageId } = event.data
    const content: MessageContent = event.data.content
    if (!('file' in content)) return undefined
    const { kind, file } = content
    const fromMe = event.type === 'MessageSentElsewhere'
    return { kind, source: file.source, bytes: file.bytes, connectionId, messageId, fromMe, position: event.position }
  }
  return undefined
}
