import type { Refusal } from '@prosa/contracts/refusals'
import { correctionLimits } from '@prosa/contracts/values/correction-limits'
import type { MessageContent } from '@prosa/contracts/values/message-content'
import type { ContactHandlers } from '../handlers.ts'
import { type Chat, messageOf } from './chat-state.ts'
import { progressOf, revisionOf } from './known-message.ts'
import { eventAt } from './quote.ts'

export interface OwnMessage {
  /** Only that number can change it. */
  way: { connectionId: string; at: string }
  /** ISO 8601. */
  writtenAt: string
  /** Its time limit has not started. */
  isWaiting: boolean
}

/** Undefined for contacts' messages. */
export const ownMessage = async (
  log: Pick<ContactHandlers, 'store' | 'codec'>,
  { id, chat }: { id: string; chat: Chat },
  messageId: string,
): Promise<OwnMessage | undefined> => {
  const known = messageOf(chat, messageId)
  if (known === undefined) return undefined
  const event = await eventAt(log, id, revisionOf(known))
  if (event.type !== 'MessageQueued' && event.type !== 'MessageSentElsewhere') return undefined
  const writtenAt = event.type === 'MessageQueued' ? event.metadata.recordedAt : event.data.sentAt
  const way = { connectionId: event.data.connectionId, at: writtenAt }
  return { way, writtenAt, isWaiting: progressOf(known) === 'queued' }
}

/** A correction requested at the last moment needs time to leave. */
const graceMs = 60_000

/** Null if the message is unsent. */
export const correctionDeadline = (
  { writtenAt, isWaiting }: OwnMessage,
  kind: keyof typeof correctionLimits,
  now: string,
): { until: string | null } | { refused: Refusal } => {
  if (isWaiting) return { until: null }
  const end = Date.parse(writtenAt) + correctionLimits[kind]
  if (Date.parse(now) > end) return { refused: `${kind}_too_late` }
  return { until: new Date(end + graceMs).toISOString() }
}

/** Undefined if the content has no text. */
export const withWords = (content: MessageContent, words: string): MessageContent | undefined => {
  if (content.kind === 'text') return { ...content, text: words }
  return 'caption' in content && content.caption !== '' ? { ...content, caption: words } : undefined
}
