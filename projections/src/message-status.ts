import type { MessageStatus } from '@prosa/contracts/http/live-chat'

/**
 * The order of the chat's own rules: a failure can be overcome by a later tick, and never takes one back. It is kept here
 * too, so that ticks may be folded in any order.
 */
const rank: Record<MessageStatus, number> = { queued: 0, failed: 1, sent: 2, delivered: 3, read: 4 }

/** The further of two statuses of one message. */
export const furtherStatus = (known: MessageStatus | null, reported: MessageStatus): MessageStatus =>
  known !== null && rank[known] >= rank[reported] ? known : reported
