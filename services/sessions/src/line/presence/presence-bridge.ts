import { setInterval } from 'node:timers/promises'
import type { TopicPayload } from '@prosa/contracts/topics'
import { serialQueue } from '@prosa/kernel/async/keyed-queue'
import { type LruMap, lruMap } from '@prosa/kernel/lru-map'
import type { Logger } from '@prosa/kernel/observability/log'
import type { PubSub } from '@prosa/kernel/privacy/pub-sub'
import type { LineHandle, PresenceState } from '../../gateway/gateway.ts'

/** What one line has to do with presence. */
export interface LinePresence {
  opened(handle: LineHandle): void
  closed(): void
  /** What a person does, by the address under which WhatsApp reports it. */
  received(jid: string, state: PresenceState): void
}

export interface PresenceBridge {
  line(connectionId: string, owner: string): LinePresence
  /** Listens to what other services want until the signal aborts. */
  run(signal: AbortSignal): Promise<void>
}

interface OpenLine {
  connectionId: string
  owner: string
  handle: LineHandle
  /** The contact behind an address, of those that are followed on this line. */
  contacts: LruMap<string, string>
  /** When somebody last looked at a chat of this line's owner; undefined while WhatsApp takes us for absent. */
  attendedAt: number | undefined
}

export interface PresenceDeps {
  pubSub: PubSub
  log: Logger
  /** Milliseconds. */
  now: () => number
  /** Milliseconds; see below. */
  attendance: number
}

const looksPerAttendance = 4
/** Far more people than anybody has in view; who was looked at longest ago is forgotten first. */
const maxFollowed = 1000

/**
 * Who types and who is there, between WhatsApp and the browsers; nothing of it is stored or logged.
 *
 * WhatsApp reports who is there and who types only to those who are there themselves, and while they are, the owner's phone does
 * not ring. So a line is 'available' only while an attendant has a chat in view, and for `attendance` milliseconds after that:
 * somebody does sit in front of the messages then, just as with WhatsApp Web. As soon as nobody looks, the phone rings again.
 */
export const presenceBridge = ({ pubSub, log, now, attendance }: PresenceDeps): PresenceBridge => {
  const open = new Set<OpenLine>()
  const linesOf = (owner: string) => [...open].filter((line) => line.owner === owner)

  /** A line that goes down in between is no trouble: what was asked of it is of no interest any more. */
  const passing = (connectionId: string, work: Promise<unknown>) =>
    work.catch((error) => log.debug({ connectionId, err: error }, 'presence not passed on'))

  const attend = async (line: OpenLine) => {
    const wasAbsent = line.attendedAt === undefined
    line.attendedAt = now()
    if (wasAbsent) await line.handle.appear(true)
  }

  const want = async ({ owner, contactId, jids }: TopicPayload<'presence.wanted'>) => {
    for (const line of linesOf(owner)) {
      for (const jid of jids) line.contacts.set(jid, contactId)
      const follow = async () => {
        await attend(line)
        for (const jid of jids) await line.handle.follow(jid)
      }
      await passing(line.connectionId, follow())
    }
  }

  const show = async ({ owner, connectionId, toJid, state }: TopicPayload<'presence.requested'>) => {
    const lines = linesOf(owner)
    const line = connectionId === null ? lines[0] : lines.find((each) => each.connectionId === connectionId)
    if (line) await passing(line.connectionId, line.handle.show(toJid, state))
  }

  const leaveUnattended = async () => {
    for (const line of open) {
      if (line.attendedAt === undefined || now() - line.attendedAt < attendance) continue
      line.attendedAt = undefined
      await passing(line.connectionId, line.handle.appear(false))
    }
  }

  return {
    line(connectionId, owner) {
      let line: OpenLine | undefined
      // Two at the same time could overtake each other, and somebody would seem to write for ever.
      const inTurn = serialQueue()
      return {
        opened(handle) {
          line = { connectionId, owner, handle, contacts: lruMap(maxFollowed), attendedAt: undefined }
          open.add(line)
        },
        closed() {
          if (line) open.delete(line)
          line = undefined
        },
        received(jid, state) {
          const contactId = line?.contacts.get(jid)
          if (!contactId) return
          void inTurn(() => passing(connectionId, pubSub.publish('presence.received', { owner, contactId, state })))
        },
      }
    },
    async run(signal) {
      pubSub.subscribe('presence.wanted', want, signal)
      pubSub.subscribe('presence.requested', show, signal)
      try {
        for await (const _ of setInterval(attendance / looksPerAttendance, undefined, { signal }))
          await leaveUnattended()
      } catch (error) {
        if (!signal.aborted) throw error
      }
    },
  }
}
