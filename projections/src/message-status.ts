import type { MessageStatus } from '@prosa/contracts/http/live-chat'

/** As in the chat's decider: a later tick overrides a failure, never the reverse. Ticks fold in any order. */
const rank: Record<MessageStatus, number> = { queued: 0, failed: 1, sent: 2, delivered: 3, read: 4 }

export const furtherStatus = (known: MessageStatus | null, reported: MessageStatus): MessageStatus =>
  known !== null && rank[known] >= rank[reported] ? known : reported
