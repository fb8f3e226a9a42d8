import type { HoursDifference, HoursOutcome } from '@prosa/contracts/http/what-if/hours'
import type { Instant } from '@prosa/contracts/values/instant'
import type { TimeSlice } from '@prosa/kernel/async/time-slice'
import type { Contact } from '../contact/contact-state.ts'
import type { KnownHours } from '../opening-hours.ts'
import type { Line } from '../others/connection-line.ts'
import { reasonAgainst, reopeningAfter } from '../sending/out-of-hours-rule.ts'

/** A message as it was when it was handled. */
export interface HandledMessage {
  messageId: string
  sentAt: Instant
  at: Instant
  /** The chats of the person then, of which any may have the reply. */
  chatIds: readonly string[]
  status: Contact['status']
  isTakenByFlow: boolean
  line: Line
  /** The log has a reply to it. */
  isAnswered: boolean
  /** Before the days asked about: only the replies count. */
  isBefore: boolean
}

type Known = Pick<KnownHours, 'hours' | 'isReplyOn'>
type Decision = { outcome: HoursOutcome; reopensAt: Instant | undefined }

/** One course of things: with the hours of then, or with others. */
const world = () => {
  const replied = new Set<string>()
  return {
    decide(known: Known, { sentAt, at, chatIds, status, isTakenByFlow, line }: HandledMessage): Decision {
      if (!known.isReplyOn || !known.hours) return { outcome: 'off', reopensAt: undefined }
      const reopensAt = reopeningAfter(known, sentAt, at)
      if (reopensAt === undefined) return { outcome: 'open', reopensAt }
      if (chatIds.some((id) => replied.has(`${id} ${reopensAt}`))) return { outcome: 'already_answered', reopensAt }
      const reason = reasonAgainst(sentAt, at, status) ?? (isTakenByFlow ? 'flow_answers' : undefined)
      return { outcome: reason ?? (line === 'open' ? 'answered' : 'line_not_open'), reopensAt }
    },
    note({ chatIds: [chatId] }: HandledMessage, reopensAt: Instant | undefined) {
      if (chatId !== undefined && reopensAt !== undefined) replied.add(`${chatId} ${reopensAt}`)
    },
  }
}

/** Where the rule would have answered and nothing was sent, something that it does not know was in the way. */
const wasIn = ({ isAnswered }: HandledMessage, { outcome }: Decision): HoursOutcome => {
  if (isAnswered) return 'answered'
  return outcome === 'answered' ? 'not_sent' : outcome
}

const obstacles: readonly HoursOutcome[] = ['too_late', 'not_waiting', 'flow_answers', 'line_not_open']

const wouldIn = (message: HandledMessage, then: Decision, { outcome, reopensAt }: Decision, was: HoursOutcome) => {
  if (outcome === then.outcome && reopensAt === then.reopensAt) return was
  if (outcome === 'answered' && was === 'not_sent') return 'not_sent'
  // What was sent was not in anything's way.
  return message.isAnswered && obstacles.includes(outcome) ? 'answered' : outcome
}

export interface HoursFound {
  messages: number
  answered: number
  wouldAnswer: number
  differences: Pick<HoursDifference, 'messageId' | 'sentAt' | 'was' | 'would'>[]
}

/** The messages of one person in the order of the log, with the hours of then and with drafted ones. */
export const compareHours = async (
  messages: readonly HandledMessage[],
  hoursAt: (at: Instant) => Known,
  draft: Known,
  slice: TimeSlice,
): Promise<HoursFound> => {
  const [then, other] = [world(), world()]
  const found: HoursFound = { messages: 0, answered: 0, wouldAnswer: 0, differences: [] }
  for (const message of messages) {
    if (slice.isDue()) await slice.turn()
    const decided = then.decide(hoursAt(message.at), message)
    const redecided = other.decide(draft, message)
    const was = wasIn(message, decided)
    const would = wouldIn(message, decided, redecided, was)
    if (was === 'answered') then.note(message, decided.reopensAt)
    if (would === 'answered') other.note(message, redecided.reopensAt)
    if (message.isBefore) continue
    const { messageId, sentAt } = message
    found.messages += 1
    if (was === 'answered') found.answered += 1
    if (would === 'answered') found.wouldAnswer += 1
    if ((was === 'answered') !== (would === 'answered')) found.differences.push({ messageId, sentAt, was, would })
  }
  return found
}
