import type { Message } from '@prosa/contracts/http/live-chat'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ChangeEvent,
  changesAfter,
  type HistoryEvent,
  historyAfter,
  isOnTheWay,
  type OutgoingEvent,
  type OwnChanges,
  outgoingAfter,
  type ReadingEvent,
  readingAfter,
  readingOf,
  shownMessages,
} from './conversation-state.ts'
import { type History, historyOf } from './history-page.ts'
import type { Outgoing } from './outbox/outgoing.ts'
import { someMessage } from './testing/message-routes.ts'

const message = (number: number, status: Message['status'] = 'sent'): Message =>
  someMessage({
    id: `m${number}`,
    contactId: 'c',
    sender: 'user',
    timestamp: new Date(number * 1000).toISOString(),
    status,
  })
const between = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => message(from + index))
const written = (id: string): Outgoing => ({
  id,
  contactId: 'c',
  content: id,
  writtenAt: new Date(60_000).toISOString(),
  state: 'sending',
  failure: null,
})
const noChanges: OwnChanges = { reactions: {}, corrections: {} }

/** 40 messages in pages of 4, read around m18: each page names the cursor that it continues. */
const opened = historyOf({ items: between(17, 20), next: 'before 17', newer: 'after 20' }, 'm18')
const pages: HistoryEvent[] = [
  ...[13, 9, 5, 1].map(
    (from): HistoryEvent => ({
      type: 'olderRead',
      at: { cursor: `before ${from + 4}` },
      page: { items: between(from, from + 3), next: from === 1 ? null : `before ${from}` },
    }),
  ),
  ...[21, 25, 29, 33, 37].map(
    (from): HistoryEvent => ({
      type: 'newerRead',
      at: { after: `after ${from - 1}` },
      page: { items: between(from, from + 3), next: null, ...(from !== 37 && { newer: `after ${from + 3}` }) },
    }),
  ),
]
const ticks = (number: number): HistoryEvent[] =>
  (['delivered', 'read'] as const).map((status) => ({
    type: 'renewed',
    page: { items: [message(number, status)], next: null },
  }))

const readAll = (history: History, events: readonly HistoryEvent[]) =>
  events.reduce((state, event) => historyAfter(state, event) ?? state, history)

describe('the history of a conversation', () => {
  const events = [...pages, ...ticks(18), ...ticks(19)]
  const expected = readAll(opened, events)

  it('has each message once, in order, without gaps', () => {
    expect(expected.messages.map(({ id }) => id)).toEqual(between(1, 40).map(({ id }) => id))
    expect(expected).toMatchObject({ older: null, newer: null })
    expect(expected.messages.slice(16, 20).map(({ status }) => status)).toEqual(['sent', 'read', 'read', 'sent'])
  })

  it('is the same in whatever order and however often pages and ticks arrive', () =>
    fc.assert(
      fc.property(
        fc.array(fc.shuffledSubarray(events, { minLength: events.length }), { minLength: 5, maxLength: 5 }),
        (rounds) => {
          expect(readAll(opened, rounds.flat())).toEqual(expected)
        },
      ),
      { numRuns: 200 },
    ))

  it('is without gaps after every single event, also of pages that come late', () =>
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...events)), (some) => {
        const numbers = readAll(opened, some).messages.map(({ id }) => Number(id.slice(1)))
        expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index))
      }),
      { numRuns: 200 },
    ))

  it('does not change when an event repeats', () =>
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...events), { minLength: 1 }), (some) => {
        const state = readAll(opened, some)
        const again = some.at(-1)
        expect(again && historyAfter(state, again)).toEqual(state)
      }),
      { numRuns: 200 },
    ))

  it('takes no tick back for a page that was read earlier, but shows a failure and its retry', () => {
    const after = (...statuses: Message['status'][]) =>
      readAll(
        historyOf({ items: [message(1, 'queued')], next: null }),
        statuses.map((status) => ({ type: 'latestRead', page: { items: [message(1, status)], next: null } })),
      ).messages[0]?.status
    expect(after('read', 'delivered', 'sent')).toBe('read')
    expect(after('sent', 'failed')).toBe('failed')
    expect(after('failed', 'queued')).toBe('queued')
  })

  it('is read first from its latest page: before, there is nothing to continue', () => {
    expect(historyAfter(undefined, { type: 'renewed', page: { items: [message(1)], next: null } })).toBeUndefined()
    const first = historyAfter(undefined, { type: 'latestRead', page: { items: [message(1)], next: null } })
    expect(first?.messages).toEqual([message(1)])
  })
})

describe('what is on its way', () => {
  const sends: OutgoingEvent[] = ['a', 'b', 'c'].flatMap((id): OutgoingEvent[] => [
    { type: 'sendAsked', message: written(id) },
    { type: 'sendChanged', messageId: id, change: { state: 'accepted' } },
    { type: 'historyShown', history: { messages: [{ ...message(50), id }], older: null } },
  ])
  const sendAll = (events: readonly OutgoingEvent[]) => events.reduce(outgoingAfter, [] as Outgoing[])

  it('ends when the history shows it, however the events of several messages interleave and repeat', () => {
    const interleaved = fc.shuffledSubarray([0, 0, 0, 1, 1, 1, 2, 2, 2], { minLength: 9 })
    const merged = (order: number[], times: number[]) => {
      const next = [0, 0, 0]
      return order.flatMap((which, at) => {
        const index = next[which] ?? 0
        next[which] = index + 1
        const event = sends[which * 3 + index]
        return event ? Array.from({ length: times[at] ?? 1 }, () => event) : []
      })
    }
    fc.assert(
      fc.property(
        interleaved,
        fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 9, maxLength: 9 }),
        (order, times) => {
          expect(sendAll(merged(order, times))).toEqual([])
        },
      ),
      { numRuns: 200 },
    )
  })

  it('stays while it is sent, also when an earlier reading shows it, and goes when discarded', () => {
    const asked: OutgoingEvent = { type: 'sendAsked', message: written('a') }
    const shown: OutgoingEvent = { type: 'historyShown', history: { messages: [message(1)], older: null } }
    expect(sendAll([asked, asked, shown]).map(({ id }) => id)).toEqual(['a'])
    expect(sendAll([asked, { type: 'sendDiscarded', messageId: 'a' }])).toEqual([])
    expect(sendAll([{ type: 'sendChanged', messageId: 'a', change: { state: 'accepted' } }])).toEqual([])
  })
})

describe('own reactions and corrections', () => {
  const deletion = { kind: 'deletion' as const, content: null, failure: null }
  const all: ChangeEvent[] = [1, 2, 3].flatMap((number): ChangeEvent[] => [
    { type: 'reactionAsked', messageId: `m${number}`, emoji: '👍' },
    { type: 'correctionAsked', messageId: `m${number}`, correction: deletion },
  ])
  const settled = all.map((event) => ({ ...event, type: event.type.replace('Asked', 'Settled') }) as ChangeEvent)
  const changeAll = (events: readonly ChangeEvent[]) => events.reduce(changesAfter, noChanges)

  it('show in whatever order they were asked for, and leave nothing once all are settled', () =>
    fc.assert(
      fc.property(
        fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2 }),
        fc.shuffledSubarray([...settled, ...settled], { minLength: settled.length * 2 }),
        (asks, settles) => {
          expect(changeAll(asks)).toEqual(changeAll(all))
          expect(changeAll([...asks, ...settles])).toEqual(noChanges)
        },
      ),
    ))

  it('keep a newer choice when the reply to an older one comes', () => {
    const changes = changeAll([
      { type: 'reactionAsked', messageId: 'm1', emoji: '👍' },
      { type: 'reactionAsked', messageId: 'm1', emoji: null },
      { type: 'reactionSettled', messageId: 'm1', emoji: '👍' },
    ])
    expect(changes.reactions).toEqual({ m1: null })
  })

  it('cover what the server has, beside what the contact did, and leave other messages the same objects', () => {
    const theirs = { emoji: '❤️', sender: 'contact' as const }
    const stored = [{ ...message(1), reactions: [theirs, { emoji: '😂', sender: 'user' as const }] }, message(2)]
    const history = historyOf({ items: stored, next: null })
    const shown = (events: ChangeEvent[]) => shownMessages(history, [], changeAll(events))
    expect(shown([])).toBe(history.messages)
    const [first, second] = shown(all.slice(0, 2))
    expect(first).toMatchObject({ reactions: [theirs, { emoji: '👍', sender: 'user' }], correction: deletion })
    expect(second).toBe(history.messages[1])
    expect(shown([{ type: 'reactionAsked', messageId: 'm1', emoji: null }])[0]?.reactions).toEqual([theirs])
  })

  it('show what is on its way only below the latest message', () => {
    const ids = (history: History) => shownMessages(history, [written('a')], noChanges).map(({ id }) => id)
    expect(ids(historyOf({ items: [message(1)], next: null }))).toEqual(['m1', 'a'])
    expect(ids(opened)).toEqual(between(17, 20).map(({ id }) => id))
  })
})

describe('the line above new messages', () => {
  const lineAfter = (first: string | null, isWatched: boolean, ...events: ReadingEvent[]) =>
    events.reduce(readingAfter, readingOf(opened, first, null, isWatched)).lineId
  const seen = (firstUnreadId: string | null, isWatched: boolean): ReadingEvent => ({
    type: 'unreadSeen',
    firstUnreadId,
    isWatched,
  })

  it('stands above what was unread when the conversation was opened, also once it was seen', () =>
    expect(lineAfter('one', false, seen('one', true), seen(null, true))).toBe('one'))

  it('stands above what only a fresh reading of the contact shows', () =>
    expect(lineAfter(null, false, seen('two', true))).toBe('two'))

  it('is not moved by what comes before somebody’s eyes', () =>
    expect(lineAfter('one', false, seen(null, true), seen('two', true))).toBe('one'))

  it('moves to what came while nobody looked, or while the end was out of view', () => {
    const away = [seen(null, true), seen(null, false), seen('two', false), seen('two', true), seen(null, true)]
    expect(lineAfter('one', false, ...away)).toBe('two')
    expect(lineAfter('one', false, ...away, { type: 'missed', messageId: 'three' })).toBe('three')
  })

  it('does not move when the same is seen again', () => {
    const reading = readingOf(opened, 'one', null, true)
    expect(readingAfter(reading, { type: 'unreadSeen', firstUnreadId: 'one', isWatched: true })).toBe(reading)
  })
})

describe('the way to a message', () => {
  const after = (messageId: string | null, ...events: ReadingEvent[]) =>
    isOnTheWay(events.reduce(readingAfter, readingOf(opened, 'm3', messageId)), messageId)

  const shows = (messages: Message[], messageId: string | null): ReadingEvent => ({
    type: 'messagesShown',
    messages,
    messageId,
  })

  it('ends when the requested message is shown or gone, and not when another is', () => {
    expect(after('m30')).toBe(true)
    expect(after('m30', { type: 'wentTo', messageId: 'm18' })).toBe(true)
    expect(after('m30', shows(opened.messages, 'm30'))).toBe(true)
    const arrived = shows(between(29, 32), 'm30')
    expect(after('m30', arrived)).toBe(false)
    expect(after('m30', arrived, arrived, { type: 'wentTo', messageId: 'm18' })).toBe(false)
    expect(after('m30', arrived, shows(between(37, 40), 'm30'))).toBe(false)
    expect(after('m30', { type: 'notFound', messageId: 'm30' })).toBe(false)
  })

  it('begins above what is loaded when more is unread than a page holds', () => {
    expect(after(null)).toBe(true)
    expect(after(null, shows(between(17, 20), null))).toBe(true)
    expect(after(null, shows(between(1, 20), null))).toBe(false)
    expect(after(null, { type: 'notFound', messageId: 'm3' })).toBe(false)
    expect(isOnTheWay(readingOf(opened, 'm18', null), null)).toBe(false)
    expect(isOnTheWay(readingOf({ ...opened, older: null }, 'm3', null), null)).toBe(false)
  })

  it('requests each jump anew, also to the same message', () => {
    const twice: ReadingEvent[] = [
      { type: 'wentTo', messageId: 'm1' },
      { type: 'wentTo', messageId: 'm1' },
    ]
    expect(twice.reduce(readingAfter, readingOf(opened, null, null)).target).toEqual({ messageId: 'm1', number: 2 })
  })

  it('remembers the page that failed until another is read or opened', () => {
    const start = readingOf(opened, null, null)
    const failed = readingAfter(readingAfter(start, { type: 'pageAsked', end: 'older' }), {
      type: 'pageFailed',
      end: 'older',
    })
    expect(failed).toMatchObject({ loading: null, failed: 'older' })
    expect(readingAfter(failed, { type: 'pageRead' })).toEqual(start)
    expect(readingAfter(failed, { type: 'endsCleared' })).toEqual(start)
  })
})
