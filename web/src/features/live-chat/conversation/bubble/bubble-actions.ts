import type { Message } from '@prosa/contracts/http/live-chat'

/** Stable for one conversation. */
export interface BubbleActions {
  onRetry: (message: Message) => void
  /** Removes a message that only this page has, and stops its upload. */
  onDiscard: (message: Message) => void
  onReply: (message: Message) => void
  /** Null removes our reaction. */
  onReact: (message: Message, emoji: string | null) => void
  onChooseReaction: (message: Message) => void
  /** The touch menu. */
  onOpenActions: (message: Message) => void
  onMore: (message: Message) => void
  onEdit: (message: Message) => void
  onCopy: (message: Message) => void
  onDelete: (message: Message) => void
  onJump: (messageId: string) => void
  onOpenPicture: (message: Message) => void
  /** Asks WhatsApp again for a missing file. */
  onRetryMedia: (message: Message) => void
}

/** Only for messages that reached WhatsApp. */
export const canBeAnswered = ({ kind, status }: Message): boolean =>
  kind !== 'deleted' && status !== 'queued' && status !== 'failed'

export const ownReaction = ({ reactions }: Message): string | null =>
  reactions.find(({ sender }) => sender === 'user')?.emoji ?? null
