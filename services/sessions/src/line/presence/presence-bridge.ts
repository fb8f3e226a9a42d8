import { setInterval } from 'node:timers/promises'
import type { TopicPayload } from '@prosa/contracts/topics'
import { serialQueue } from '@prosa/kernel/async/keyed-queue'
import { type LruMap, lruMap } from '@prosa/kernel/lru-map'
import type { Logger } from '@prosa/kernel/observability/log'
import type { PubSub } from '@prosa/kernel/privacy/pub-sub'
import type { LineHandle, PresenceState } from '../../gateway/gateway.ts'

export interface LinePresence {
  opened(handle: LineHandle): void
  closed(): void
  received(jid: string, state: PresenceState): void
}

export interface PresenceBridge {
  line(connectionId: string, tenant: string): LinePresence
  run(signal: AbortSignal): Promise<void>
}

interface OpenLine {
  connectionId: string
  tenant: string
  handle: LineHandle
  contacts: LruMap<string, string>
  /** undefined while we are offline for WhatsApp. */
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
const maxFollowed = 1000

/**
 * WhatsApp reports presence only to those who are online, and silences the tenant's phone meanwhile. So a line is 'available' only while an
 * attendant views a chat, and for `attendance` ms after that. Nothing is stored or logged.
 */
export const presenceBridge = ({ pubSub, log, now, attendance }: PresenceDeps): PresenceBridge => {
  const open = new Set<OpenLine>()
  const linesOf = (tenant: string) => [...open].filter((line) => line.tenant === tenant)

  /** Presence is transient: failures do not matter. */
  const passing = (connectionId: string, work: Promise<unknown>) =>
    work.catch((error) => log.debug({ connectionId, err: error }, 'presence not forwarded'))

  const attend = async (line: OpenLine) => {
    const wasAbsent = line.attendedAt === undefined
    line.attendedAt = now()
    if (wasAbsent) await line.handle.appear(true)
  }

  const want = async ({ tenant, contactId, jids }: TopicPayload<'presence.wanted'>) => {
    for (const line of linesOf(tenant)) {
      for (const jid of jids) line.contacts.set(jid, contactId)
      const follow = async () => {
        await attend(line)
        for (const jid of jids) await line.handle.follow(jid)
      }
      await passing(line.connectionId, follow())
    }
  }

  const show = async ({ tenant, connectionId, toJid, state }: TopicPayload<'presence.requested'>) => {
    const lines = linesOf(tenant)
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
    line(connectionId, tenant) {
      let line: OpenLine | undefined
      // Overtaking calls would show somebody as typing for ever.
      const enqueue = serialQueue()
      return {
        opened(handle) {
          line = { connectionId, tenant, handle, contacts: lruMap(maxFollowed), attendedAt: undefined }
          open.add(line)
        },
        closed() {
          if (line) open.delete(line)
          line = undefined
        },
        received(jid, state) {
          const contactId = line?.contacts.get(jid)
          if (!contactId) return
          void enqueue(() => passing(connectionId, pubSub.publish('presence.received', { tenant, contactId, state })))
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
