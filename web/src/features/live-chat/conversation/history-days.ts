import type { ConversationLine, Message } from '@prosa/contracts/http/live-chat'
import { daysAgo, shortDay } from '../../../lib/format/format.ts'

const weekday = new Intl.DateTimeFormat('pt-BR', { weekday: 'long' })

/** 'Hoje', 'Ontem', 'sexta-feira' within the week, '12 de jan.', '12 de jan. de 2025'. */
const dayLabel = (at: Date, now: Date): string => {
  const days = daysAgo(at.getTime(), now.getTime())
  if (days === 0) return 'Hoje'
  if (days === 1) return 'Ontem'
  if (days > 1 && days < 7) return weekday.format(at)
  return shortDay(at.getTime(), now.getTime())
}

/** Messages of one author within this gap form a run. */
const runGapMs = 2 * 60_000

export interface HistoryItem {
  message: Message
  startsRun: boolean
  endsRun: boolean
  /** Its connection, where it differs from the previous message's and is to be shown; else null. */
  otherLine: string | null
  /** The 'mensagens novas' line is above this message. */
  startsUnread: boolean
}

export interface HistoryDay {
  key: string
  label: string
  items: (HistoryItem | ConversationLine)[]
}

export const isLine = (item: HistoryItem | ConversationLine): item is ConversationLine => 'kind' in item

const localDay = (at: Date): string => `${at.getFullYear()}-${at.getMonth() + 1}-${at.getDate()}`

interface Moment {
  ms: number
  day: string
}

/** Cached: each change lays out all loaded messages again. */
const moments = new WeakMap<Message, Moment>()

const momentOf = (message: Message): Moment => {
  const known = moments.get(message)
  if (known) return known
  const at = new Date(message.timestamp)
  const moment = { ms: at.getTime(), day: localDay(at) }
  moments.set(message, moment)
  return moment
}

interface DaysOptions {
  now: Date
  firstUnreadId: string | null
  hasSeveralNumbers: boolean
}

const joins = (earlier: Message | undefined, later: Message): boolean =>
  earlier !== undefined && earlier.sender === later.sender && momentOf(later).ms - momentOf(earlier).ms <= runGapMs

export const historyDays = (
  messages: Message[],
  { now, firstUnreadId, hasSeveralNumbers }: DaysOptions,
): HistoryDay[] => {
  const days: HistoryDay[] = []
  let line: string | null = null
  const dayOf = (ms: number, key: string): HistoryDay => {
    const last = days.at(-1)
    if (last?.key === key) return last
    const day = { key, label: dayLabel(new Date(ms), now), items: [] }
    days.push(day)
    return day
  }
  /** A line begins no day that messages would begin again: our clock and WhatsApp's differ. */
  const addLine = (shown: ConversationLine, next: Message | undefined) => {
    const ms = Date.parse(shown.at)
    const last = days.at(-1)
    const isOfLast = last && (ms < lastMs || (next && momentOf(next).day === last.key))
    const day = isOfLast ? last : dayOf(ms, localDay(new Date(ms)))
    day.items.push(shown)
    lastMs = Math.max(lastMs, ms)
  }
  let lastMs = 0
  for (const message of messages) {
    for (const shown of message.linesBefore ?? []) addLine(shown, message)
    const { ms, day: key } = momentOf(message)
    lastMs = Math.max(lastMs, ms)
    const day = dayOf(ms, key)
    const before = day.items.at(-1)
    const previous = before && !isLine(before) ? before : undefined
    const startsUnread = message.id === firstUnreadId
    const isOther = hasSeveralNumbers && message.connectionId !== null && line !== null && message.connectionId !== line
    const otherLine = isOther ? message.connectionId : null
    line = message.connectionId ?? line
    const startsRun = startsUnread || isOther || !joins(previous?.message, message)
    if (previous) previous.endsRun = startsRun
    day.items.push({ message, startsRun, endsRun: true, startsUnread, otherLine })
    for (const shown of message.linesAfter ?? []) addLine(shown, undefined)
  }
  return days
}
