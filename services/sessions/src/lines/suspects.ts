import { backoffMilliseconds } from '../reconnect-rule.ts'
import type { SessionTimings } from '../timings.ts'

/**
 * So many times in a row a line has to break on one message before the message is to blame. The time that passes between them
 * grows, so that no trouble of a minute leads that far.
 */
const mostBreaks = 8

interface Suspect {
  contactId: string
  breaks: number
  /** What became of the latest other message that was sent since. */
  others: 'unheard' | 'answered' | 'broke'
}

interface InFlight {
  messageId: string
  contactId: string
}

/**
 * Which messages a line seems to break on. Lines break for many reasons, and a message that is on its way then has done nothing.
 * Told apart by trial: from its second break on a message rests while the line is open, longer each time, and other contacts'
 * messages go. A line that breaks while nothing is on its way clears all of them. In memory: another process makes its own trial.
 */
export interface Suspects {
  lineOpened(): void
  lineBroke(): void
  /** It is being sent; told again when its bytes are surely on their way. */
  sending(message: InFlight): void
  /** WhatsApp answered to a message, whatever it said: the line outlived it. */
  answered(messageId: string): void
  /** There was no answer in good time, and no break either. */
  unanswered(): void
  /** Contacts whose messages are passed over for now, and the milliseconds until the first of them is not; 0 when none is. */
  resting(): { contactIds: string[]; wait: number }
  /** Whether the message is to blame, and not the line or WhatsApp, on which others break too. */
  isToBlame(messageId: string): boolean
  forget(messageId: string): void
}

type Durations = Pick<SessionTimings, 'suspicion' | 'firstBackoff' | 'longestBackoff'>

export const suspects = ({ suspicion, firstBackoff, longestBackoff }: Durations, now: () => number): Suspects => {
  const known = new Map<string, Suspect>()
  let inFlight: (InFlight & { at: number }) | undefined
  let openSince = now()

  const tellOthers = (messageId: string, news: Suspect['others']) => {
    for (const [id, suspect] of known) if (id !== messageId) suspect.others = news
  }

  /** After the first break it goes at once: most often it was chance. */
  const restOf = ({ breaks }: Suspect) =>
    breaks < 2 ? 0 : backoffMilliseconds(breaks - 1, 1, firstBackoff, longestBackoff)

  return {
    lineOpened() {
      openSince = now()
      inFlight = undefined
    },
    lineBroke() {
      const sent = inFlight
      inFlight = undefined
      if (!sent) return known.clear()
      if (now() - sent.at > suspicion) return
      const { messageId, contactId } = sent
      const suspect = known.get(messageId) ?? { contactId, breaks: 0, others: 'unheard' }
      known.set(messageId, { ...suspect, breaks: suspect.breaks + 1 })
      tellOthers(messageId, 'broke')
    },
    sending({ messageId, contactId }) {
      inFlight = { messageId, contactId, at: now() }
    },
    answered(messageId) {
      if (inFlight?.messageId === messageId) inFlight = undefined
      known.delete(messageId)
      tellOthers(messageId, 'answered')
    },
    unanswered() {
      inFlight = undefined
    },
    resting() {
      const open = now() - openSince
      const restless = [...known.values()].filter((suspect) => restOf(suspect) > open)
      return {
        contactIds: restless.map(({ contactId }) => contactId),
        wait: restless.length > 0 ? Math.min(...restless.map(restOf)) - open : 0,
      }
    },
    isToBlame(messageId) {
      const suspect = known.get(messageId)
      return suspect !== undefined && suspect.breaks >= mostBreaks && suspect.others !== 'broke'
    },
    forget(messageId) {
      known.delete(messageId)
    },
  }
}
