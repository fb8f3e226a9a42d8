import type { ConversationLine, Message } from '@prosa/contracts/http/live-chat'
import { shownAtFirst } from '../../../components/formatting/long-text.ts'
import { frameRatio, frameWidth } from './bubble/picture-frame.ts'
import { type HistoryItem, historyDays, isLine } from './history-days.ts'

export type HistoryRow =
  | { kind: 'day'; key: string; label: string }
  | { kind: 'unread'; key: string; label: string }
  | { kind: 'line'; key: string; label: string; line: ConversationLine }
  | { kind: 'message'; key: string; label: string; item: HistoryItem }

interface RowOptions {
  now: Date
  firstUnreadId: string | null
  hasSeveralNumbers: boolean
  /** The first message of all is loaded. */
  reachesFirst: boolean
}

/** While older messages may come, the first day has no name: removing it later would move the text being read. */
export const historyRows = (messages: Message[], { reachesFirst, ...options }: RowOptions): HistoryRow[] => {
  const rows: HistoryRow[] = []
  for (const { key, label, items } of historyDays(messages, options)) {
    if (rows.length > 0 || reachesFirst) rows.push({ kind: 'day', key: `day ${key}`, label })
    for (const item of items) {
      if (isLine(item)) {
        rows.push({ kind: 'line', key: item.id, label, line: item })
        continue
      }
      if (item.startsUnread) rows.push({ kind: 'unread', key: 'unread', label })
      rows.push({ kind: 'message', key: item.message.id, label, item })
    }
  }
  return rows
}

/** Of what happened between two messages, in px. */
export const lineHeight = 26
const textLineHeight = 22
const charactersInLine = 56

/** In px, before layout. */
export const estimatedHeight = (row: HistoryRow | undefined): number => {
  if (row?.kind === 'line') return lineHeight
  if (row?.kind !== 'message') return 48
  const { message, startsRun, otherLine } = row.item
  const lines = shownAtFirst(message.content)
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / charactersInLine)), 0)
  const text = message.content === '' ? 18 : lines * textLineHeight
  const media =
    message.media === null
      ? 0
      : message.kind === 'image' || message.kind === 'video'
        ? frameWidth / frameRatio(message.media)
        : message.kind === 'sticker'
          ? 160
          : 62
  const above = (startsRun ? 8 : 2) + (otherLine ? 16 : 0)
  return text + media + 12 + above + (message.quoted ? 52 : 0) + (message.reactions.length > 0 ? 28 : 0)
}
