import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { idOf } from '@prosa/kernel/consumers/testing/test-log'
import fc from 'fast-check'

export interface Recorded {
  tenant: string
  contactId: string
  at: string
  event: AnyEvent
}

const line = { connectionId: idOf('line') }
const attendantId = idOf('attendant')
const text = { kind: 'text', text: 'oi' } as const

type Turn = 'absent' | 'waiting' | 'attending' | 'resolved'
type Step = (messageId: string, at: string) => readonly [AnyEvent[], Turn]

const received = (messageId: string, sentAt: string): AnyEvent => ({
  type: 'MessageReceived',
  data: { ...line, messageId, content: text, sentAt },
})
const queued = (messageId: string, isRetry?: true): AnyEvent => ({
  type: 'MessageQueued',
  data: { ...line, messageId, toJid: '1@lid', content: text, attendantId, isRetry },
})
const elsewhere = (messageId: string, sentAt: string): AnyEvent => ({
  type: 'MessageSentElsewhere',
  data: { ...line, messageId, content: text, sentAt },
})
const added = (origin: 'message' | 'attendant' | 'phone'): AnyEvent => ({
  type: 'ContactAdded',
  data: { name: null, phone: null, lid: null, origin },
})
const accepted: AnyEvent = { type: 'ConversationAccepted', data: { attendantId } }
const resolved: AnyEvent = { type: 'ConversationResolved', data: { attendantId } }
const resumed: AnyEvent = { type: 'ConversationResumed', data: { attendantId } }
const reopened: AnyEvent = { type: 'ConversationReopened', data: {} }

const next: Record<Turn, readonly Step[]> = {
  absent: [
    (id, at) => [[added('message'), received(id, at)], 'waiting'],
    () => [[added('attendant')], 'waiting'],
    (id, at) => [[added('phone'), elsewhere(id, at)], 'resolved'],
  ],
  waiting: [
    (id, at) => [[received(id, at)], 'waiting'],
    (id, at) => [[elsewhere(id, at)], 'waiting'],
    () => [[accepted], 'attending'],
    (id) => [[accepted, queued(id)], 'attending'],
  ],
  attending: [
    (id, at) => [[received(id, at)], 'attending'],
    (id) => [[queued(id), queued(id, true)], 'attending'],
    () => [[resolved], 'resolved'],
  ],
  resolved: [
    (id, at) => [[reopened, received(id, at)], 'waiting'],
    () => [[resumed], 'attending'],
    (id, at) => [[elsewhere(id, at)], 'resolved'],
    () => [[{ type: 'ContactErased', data: {} }], 'absent'],
  ],
}

const moment = fc.record({
  seconds: fc.integer({ min: 1, max: 6 * 3600 }),
  tenant: fc.nat(1),
  contact: fc.nat(5),
  choice: fc.nat(11),
})

export const randomDays = (days: number): fc.Arbitrary<Recorded[]> =>
  fc.tuple(fc.uuid(), fc.array(moment, { minLength: days * 8, maxLength: days * 8 })).map(([seed, moments]) => {
    const turns = new Map<string, Turn>()
    const lives = new Map<string, number>()
    let now = Date.UTC(2026, 0, 1, 3)
    return moments.flatMap(({ seconds, tenant, contact, choice }, index) => {
      now += seconds * 1000
      const at = new Date(now).toISOString()
      const name = `${seed} ${tenant} ${contact}`
      const turn = turns.get(name) ?? 'absent'
      const step = next[turn][choice % next[turn].length]
      if (!step) return []
      const contactId = idOf(`${name} ${lives.get(name) ?? 0}`)
      const [events, after] = step(`M${index}`, at)
      turns.set(name, after)
      if (turn === 'resolved' && after === 'absent') lives.set(name, (lives.get(name) ?? 0) + 1)
      return events.map((event) => ({ tenant: idOf(`${seed} ${tenant}`), contactId, at, event }))
    })
  })
