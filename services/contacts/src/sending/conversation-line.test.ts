import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { lineAmong, linesTogether, successorsOf } from '@prosa/contracts/values/lines'
import { type LineFact, lineByTheWords } from '@prosa/contracts/values/testing/line-by-the-words'
import { shortOrLong } from '@prosa/kernel/testing/long-form'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { chat } from '../chat/chat.ts'
import type { Chat } from '../chat/chat-state.ts'
import type { ChatEvent } from '../chat/evolve-chat.ts'
import { contact } from '../contact/contact.ts'
import type { Contact, ContactEvent } from '../contact/contact-state.ts'

const attendantId = '7c0c5a0e-5f5e-4a53-9a37-3f4f1c1f0a11'
const lines = ['sales', 'support', 'night']
const at = (second: number) => new Date(Date.UTC(2026, 10, 25, 12, 0, second)).toISOString()

const happening = fc.record({
  what: fc.constantFrom('wrote', 'wrote', 'chose', 'answered', 'answered elsewhere', 'refused'),
  line: fc.constantFrom(...lines),
  contact: fc.nat(1),
  second: fc.nat(50),
  /** Our clock minus WhatsApp's. */
  skew: fc.integer({ min: -120, max: 120 }),
})
const history = fc.record({
  happenings: fc.uniqueArray(happening, { maxLength: 40, selector: ({ second }) => second }),
  mergeAt: fc.nat(40),
  gone: fc.subarray(lines),
})

const folded = (state: { chat: Chat; contact: Contact }, event: AnyEvent) => {
  const [evolveChat, evolveContact] = [chat.evolve, contact.evolve] as Record<string, unknown>[] as [
    Record<string, (state: Chat, data: unknown) => Chat>,
    Record<string, (state: Contact, data: unknown) => Contact>,
  ]
  return {
    chat: evolveChat[event.type]?.(state.chat, event.data) ?? state.chat,
    contact: evolveContact[event.type]?.(state.contact, event.data) ?? state.contact,
  }
}

it('the line of any history over three numbers, of one contact or two that are merged, is that of the rule’s words', () => {
  fc.assert(
    fc.property(history, ({ happenings, mergeAt, gone }) => {
      const states = [0, 1].map(() => ({ chat: chat.initial, contact: contact.initial }))
      const facts: LineFact[][] = [[], []]
      const record = (index: number, event: ChatEvent | ContactEvent, fact?: LineFact) => {
        const state = states[index]
        if (state) states[index] = folded(state, event)
        if (fact) facts[index]?.push(fact)
      }
      const isMerged = happenings.length > mergeAt
      for (const [count, { what, line: connectionId, contact: who, second, skew }] of happenings.entries()) {
        const merged = count >= mergeAt
        const index = merged ? 0 : who
        const messageId = `M${count}`
        const message = { messageId, connectionId, content: { kind: 'text', text: 'oi' } as const }
        if (what === 'wrote')
          record(
            index,
            { type: 'MessageReceived', data: { ...message, sentAt: at(second) } },
            { what, connectionId, at: at(second) },
          )
        else if (what === 'chose') {
          const known = (merged ? facts.flat() : (facts[index] ?? [])).flatMap((fact) =>
            fact.what === 'wrote' ? [fact.at] : [],
          )
          const lastReceivedAt = known.toSorted().at(-1) ?? null
          const data = { connectionId, attendantId, chosenAt: at(100 + count + skew), lastReceivedAt }
          record(index, { type: 'LineChosen', data }, { what, connectionId, lastReceivedAt })
        } else if (what === 'answered elsewhere')
          record(
            index,
            { type: 'MessageSentElsewhere', data: { ...message, sentAt: at(second) } },
            { what: 'answered', connectionId },
          )
        else {
          const isRefused = what === 'refused' && ({ isRefused: true } as const)
          const data = { ...message, toJid: '1@lid', attendantId, ...(isRefused || {}) }
          record(index, { type: 'MessageQueued', data }, isRefused ? undefined : { what: 'answered', connectionId })
        }
      }
      const own = lines.map((connectionId) => ({
        connectionId,
        isRemoved: gone.includes(connectionId),
        isOpen: false,
        numbers: [],
      }))
      const chats = isMerged ? states.toReversed() : states.slice(0, 1)
      const known = linesTogether([...chats.map((each) => each.contact.lines), ...chats.map((each) => each.chat.lines)])
      const said = isMerged ? facts.toReversed().flat() : (facts[0] ?? [])
      expect(lineAmong(known, successorsOf(own))).toBe(lineByTheWords(said, (each) => !gone.includes(each)))
    }),
    { numRuns: shortOrLong(500, 50_000) },
  )
})
