import type { Message } from '@prosa/contracts/http/live-chat'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Page } from '../../lib/http/http.ts'
import { historyAfter } from './conversation-state.ts'
import { type History, historyOf, latestOf, maxMessages, type PageAt } from './history-page.ts'
import { someMessage } from './testing/message-routes.ts'

const pageSize = 100

const message = (id: string): Message =>
  someMessage({ id, contactId: 'c', sender: 'user', status: 'sent', timestamp: '2026-11-27T12:00:00.000Z' })

/** The conversation as the server has it; cursors are positions, which stay as messages come, and between which others may be put. */
class Conversation {
  all: { position: number; message: Message }[]
  constructor(count: number) {
    this.all = Array.from({ length: count }, (_, index) => ({ position: index, message: message(`m${index}`) }))
  }
  get ids() {
    return this.all.map(({ message: { id } }) => id)
  }
  arrive(count: number) {
    for (let left = count; left > 0; left--) {
      const position = Math.floor(this.all.at(-1)?.position ?? 0) + 1
      this.all.push({ position, message: message(`m${position}`) })
    }
  }
  /** The `share` of all is corrected. */
  correct(share: number, words: string) {
    const at = Math.floor(share * (this.all.length - 1))
    this.all = this.all.map((each, index) =>
      index === at
        ? { ...each, message: { ...each.message, content: words, editedAt: '2026-11-27T13:00:00.000Z' } }
        : each,
    )
  }
  /** Of what came at that share and later; none goes back. */
  tick(share: number, status: 'delivered' | 'read') {
    const at = Math.floor(share * (this.all.length - 1))
    const isBehind = ({ message }: { message: Message }) => message.status !== 'read'
    this.all = this.all.map((each, index) =>
      index >= at && isBehind(each) ? { ...each, message: { ...each.message, status } } : each,
    )
  }
  /** Every third message of another contact comes between; or they leave again. */
  merge(isMerged: boolean) {
    const own = this.all.filter(({ position }) => Number.isInteger(position))
    const other = own.filter((_, index) => index % 3 === 0).map(({ position }) => position + 0.5)
    const others = isMerged ? other.map((position) => ({ position, message: message(`o${position}`) })) : []
    this.all = [...own, ...others].toSorted((a, b) => a.position - b.position)
  }
  read(at: PageAt | Record<string, never>): Page<Message> | undefined {
    const indexFrom = (position: number) => {
      const index = this.all.findIndex((each) => each.position >= position)
      return index === -1 ? this.all.length : index
    }
    const bounds = (): [number, number] => {
      if ('around' in at) {
        const middle = this.ids.indexOf(String(at.around))
        return [middle === -1 ? Number.NaN : middle - pageSize / 2, middle + pageSize / 2]
      }
      if ('after' in at) {
        const from = indexFrom(Number(at.after) + 0.1)
        return [from, from + pageSize]
      }
      const end = 'cursor' in at ? indexFrom(Number(at.cursor)) : this.all.length
      return [end - pageSize, end]
    }
    const [from, end] = bounds()
    if (Number.isNaN(from)) return undefined
    const found = this.all.slice(Math.max(0, from), end)
    const [first] = found
    const last = found.at(-1)
    return {
      items: found.map((each) => structuredClone(each.message)),
      next: from > 0 && first ? String(first.position) : null,
      ...(end < this.all.length && last && { newer: String(last.position) }),
    }
  }
}

/** What the screen does with a conversation: `use-loaded-history.ts` and `historyQuery`, without waiting. */
class Reader {
  readonly conversation: Conversation
  history: History
  viewedId = ''
  constructor(conversation: Conversation) {
    this.conversation = conversation
    const latest = conversation.read({})
    if (!latest) throw new Error('No conversation')
    this.history = historyOf(latest)
    this.view(1)
  }
  after(event: Parameters<typeof historyAfter>[1]) {
    this.history = historyAfter(this.history, event) ?? this.history
  }
  open(at: string | null) {
    const page = this.conversation.read(at === null ? {} : { around: at })
    if (page) this.after({ type: 'opened', page, at })
    this.view(at === null ? 1 : 0.5)
  }
  /** Scrolls to the share of what is loaded; near an end its next page is read. */
  view(share: number) {
    const { messages } = this.history
    const at = Math.round(share * (messages.length - 1))
    this.viewedId = messages[at]?.id ?? ''
    if (at < 12) this.load('older')
    if (at >= this.history.messages.length - 12) this.load('newer')
    this.after({ type: 'viewed', messageId: this.viewedId })
  }
  /** By so many messages, down positive. */
  scroll(by: number) {
    const last = this.history.messages.length - 1
    const at = this.ids.indexOf(this.viewedId)
    this.view(last <= 0 ? 1 : Math.min(last, Math.max(0, (at === -1 ? last : at) + by)) / last)
  }
  load(end: 'older' | 'newer') {
    const at = this.history[end]
    if (at === null) return
    const page = this.conversation.read(at)
    if (page) this.after({ type: `${end}Read`, page, at })
    else this.open(null)
  }
  poll() {
    const { newer, anchorId } = this.history
    const latest = newer === null ? this.conversation.read({}) : undefined
    const around = anchorId === null ? undefined : this.conversation.read({ around: anchorId })
    if (anchorId !== null && !around) return this.open(null)
    if (around) this.after({ type: 'renewed', page: around })
    if (latest && this.history.newer === null) this.after({ type: 'latestRead', page: latest })
    this.after({ type: 'viewed', messageId: this.viewedId })
  }
  leave() {
    const left = latestOf(this.history)
    if (left) {
      expect(left.messages.length).toBeLessThanOrEqual(pageSize)
      this.history = left
      this.view(1)
    } else this.open(null)
  }
  get ids() {
    return this.history.messages.map(({ id }) => id)
  }
  /** Presses that lead to an end of the conversation, from wherever it is. */
  scrollTo(end: 'older' | 'newer') {
    const seen = new Map<string, Message>()
    const note = () => {
      for (const each of this.history.messages) seen.set(each.id, each)
    }
    note()
    for (let steps = 0; this.history[end] !== null; steps++) {
      if (steps > 1_000) throw new Error('It leads nowhere')
      this.view(end === 'older' ? 0 : 1)
      note()
    }
    return seen
  }
}

type Step =
  | { do: 'view'; share: number }
  | { do: 'scroll'; by: number }
  | { do: 'arrive'; count: number }
  | { do: 'correct' | 'jump'; share: number }
  | { do: 'tick'; share: number; status: 'delivered' | 'read' }
  | { do: 'poll' | 'latest' | 'leave' }
  | { do: 'merge'; isMerged: boolean }

const share = fc.double({ min: 0, max: 1, noNaN: true })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('view' as const), share: fc.oneof(fc.constantFrom(0, 1), share) }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('scroll' as const), by: fc.integer({ min: -60, max: 60 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('arrive' as const), count: fc.constantFrom(1, 3, 99, 250) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('correct' as const, 'jump' as const), share }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('tick' as const),
      share,
      status: fc.constantFrom('delivered' as const, 'read' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('poll' as const, 'latest' as const, 'leave' as const) }) },
)
const stepWithMerges: fc.Arbitrary<Step> = fc.oneof(
  { weight: 9, arbitrary: step },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('merge' as const), isMerged: fc.boolean() }) },
)

let words = 0
const take = (reader: Reader, taken: Step): void => {
  const { conversation } = reader
  if (taken.do === 'view') reader.view(taken.share)
  if (taken.do === 'scroll') reader.scroll(taken.by)
  if (taken.do === 'arrive') conversation.arrive(taken.count)
  if (taken.do === 'correct') conversation.correct(taken.share, `Corrigida ${++words}`)
  if (taken.do === 'tick') conversation.tick(taken.share, taken.status)
  if (taken.do === 'jump')
    reader.open(conversation.ids[Math.floor(taken.share * (conversation.ids.length - 1))] ?? null)
  if (taken.do === 'latest') reader.open(null)
  if (taken.do === 'poll') reader.poll()
  if (taken.do === 'leave') reader.leave()
  if (taken.do === 'merge') conversation.merge(taken.isMerged)
}

const runs = { numRuns: 40 }
const steps = fc.array(step, { minLength: 20, maxLength: 80 })
const lengths = fc.constantFrom(0, 1, 99, 100, 101, 450, 1_500)

describe('the window of a conversation', () => {
  it('is a part of the conversation without gaps and of a few pages, whatever is read, comes and changes', () => {
    fc.assert(
      fc.property(lengths, steps, (count, taken) => {
        const reader = new Reader(new Conversation(count))
        for (const each of taken) {
          take(reader, each)
          const from = reader.conversation.ids.indexOf(reader.ids[0] ?? '')
          expect(reader.ids).toEqual(
            reader.conversation.ids.slice(Math.max(0, from), Math.max(0, from) + reader.ids.length),
          )
          expect(reader.ids.length).toBeLessThanOrEqual(maxMessages + pageSize)
          if (reader.history.older === null) expect(from).toBeLessThanOrEqual(0)
          reader.poll()
          // More than a page may have come at once: it is read later, or stands instead.
          reader.poll()
          if (reader.history.newer === null) expect(reader.ids.at(-1)).toBe(reader.conversation.ids.at(-1))
        }
      }),
      runs,
    )
  })

  it('has what is in view as the server has it, after each poll', () => {
    fc.assert(
      fc.property(lengths, steps, (count, taken) => {
        const reader = new Reader(new Conversation(count))
        const server = () => new Map(reader.conversation.all.map((each) => [each.message.id, each.message]))
        for (const each of taken) {
          take(reader, each)
          reader.poll()
          const at = reader.ids.indexOf(reader.viewedId)
          // What stood in view is gone only where the latest page stands instead.
          const inView =
            at === -1
              ? reader.history.messages.slice(-10)
              : reader.history.messages.slice(Math.max(0, at - 20), at + 20)
          const stored = server()
          expect(inView).toEqual(inView.map(({ id }) => stored.get(id)))
        }
      }),
      runs,
    )
  })

  it('leads to both ends and shows on the way each message once, as it is now, also those that had been let go of', () => {
    fc.assert(
      fc.property(lengths, steps, (count, taken) => {
        const reader = new Reader(new Conversation(count))
        for (const each of taken) take(reader, each)
        reader.poll()
        reader.open(null)
        reader.scrollTo('older')
        reader.conversation.correct(0.9, 'Corrigida enquanto não estava aqui')
        const seen = reader.scrollTo('newer')
        reader.poll()
        expect([...seen.keys()].toSorted()).toEqual(reader.conversation.ids.toSorted())
        if (count > 1_000)
          expect(
            [...seen.values()].filter(({ content }) => content === 'Corrigida enquanto não estava aqui'),
          ).toHaveLength(1)
      }),
      runs,
    )
  })

  it('keeps what is in view where it is when pages are let go of and read again', () => {
    fc.assert(
      fc.property(fc.array(share, { minLength: 10, maxLength: 60 }), (shares) => {
        const reader = new Reader(new Conversation(1_500))
        for (const each of shares) {
          reader.view(each)
          const at = reader.ids.indexOf(reader.viewedId)
          expect(at).toBeGreaterThanOrEqual(0)
          // So much stands around it that nothing in view is missing.
          if (reader.history.older !== null) expect(at).toBeGreaterThanOrEqual(12)
          if (reader.history.newer !== null) expect(reader.ids.length - at).toBeGreaterThan(12)
        }
      }),
      runs,
    )
  })

  it('is that of the conversation again after contacts were merged or separated: within a poll where one looks', () => {
    fc.assert(
      fc.property(fc.array(stepWithMerges, { minLength: 20, maxLength: 80 }), (taken) => {
        const reader = new Reader(new Conversation(600))
        for (const each of taken) {
          take(reader, each)
          reader.poll()
          reader.poll()
          const at = reader.ids.indexOf(reader.viewedId)
          if (at === -1) continue
          const around = reader.ids.slice(Math.max(0, at - 20), at + 20)
          const from = reader.conversation.ids.indexOf(around[0] ?? '')
          if (reader.conversation.ids.includes(reader.viewedId))
            expect(around).toEqual(reader.conversation.ids.slice(from, from + around.length))
        }
      }),
      runs,
    )
  })
})
