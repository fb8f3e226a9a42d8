import type { Message } from '@prosa/contracts/http/live-chat'

/** What can be done with a message; the same object as long as the conversation stays. */
export interface BubbleActions {
  /** Sends a failed message once more. */
  onRetry: (message: Message) => void
  /** Forgets a message that only this page knows, and stops its upload. */
  onDiscard: (message: Message) => void
  onReply: (message: Message) => void
  /** Null takes our reaction back. */
  onReact: (message: Message, emoji: string | null) => void
  onChooseReaction: (message: Message) => void
  /** Shows all that can be done with it, for a finger. */
  onOpenActions: (message: Message) => void
  /** Opens what else can be done with the message. */
  onMore: (message: Message) => void
  onEdit: (message: Message) => void
  /** Puts the text on the clipboard as it was written. */
  onCopy: (message: Message) => void
  /** Asks, then takes the message back for everyone. */
  onDelete: (message: Message) => void
  /** Shows the message, wherever in the conversation it stands. */
  onJump: (messageId: string) => void
  onOpenPicture: (message: Message) => void
  /** Asks WhatsApp again for a file that did not come. */
  onRetryMedia: (message: Message) => void
}

/** Only what reached WhatsApp can be answered and reacted to. */
export const canBeAnswered = ({ kind, status }: Message): boolean =>
  kind !== 'deleted' && status !== 'queued' && status !== 'failed'

/** The reaction of our side, or null. */
export const ownReaction = ({ reactions }: Message): string | null =>
  reactions.find(({ sender }) => sender === 'user')?.emoji ?? null
