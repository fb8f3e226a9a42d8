import type { ConversationLine, Message } from '@prosa/contracts/http/live-chat'
import { describe, expect, it } from 'vitest'
import { someMessage } from '../testing/message-routes.ts'
import { type HistoryDay, historyDays, isLine } from './history-days.ts'
import { historyRows } from './history-rows.ts'

const now = new Date(2026, 10, 21, 15, 0)

const message = (id: string, at: Date, sender: Message['sender'] = 'contact'): Message =>
  someMessage({ id, contactId: 'c', sender, timestamp: at.toISOString() })

const today = (minutes: number, seconds = 0) => new Date(2026, 10, 21, 14, minutes, seconds)
const days = (messages: Message[], firstUnread: string | null = null, hasSeveralNumbers = false) =>
  historyDays(messages, { now, firstUnreadId: firstUnread, hasSeveralNumbers })
const messagesIn = ({ items }: HistoryDay) => items.flatMap((item) => (isLine(item) ? [] : [item]))
const runs = (messages: Message[], firstUnread: string | null = null) =>
  days(messages, firstUnread).flatMap(({ items }) =>
    items.map((item) =>
      isLine(item) ? item.id : `${item.startsRun ? '[' : ''}${item.message.id}${item.endsRun ? ']' : ''}`,
    ),
  )

describe('the name of a day', () => {
  it('stands above its first message, and above the first that is loaded only once nothing is before it', () => {
    const messages = [message('a', new Date(2026, 10, 20, 9, 0)), message('b', today(0))]
    const kinds = (reachesFirst: boolean) =>
      historyRows(messages, { now, firstUnreadId: null, hasSeveralNumbers: false, reachesFirst }).map(
        ({ kind }) => kind,
      )
    expect(kinds(true)).toEqual(['day', 'message', 'day', 'message'])
    expect(kinds(false)).toEqual(['message', 'day', 'message'])
  })
})

describe('runs', () => {
  it('join messages of one author within two minutes', () =>
    expect(runs([message('a', today(0)), message('b', today(2)), message('c', today(4))])).toEqual(['[a', 'b', 'c]']))

  it('end when more than two minutes pass', () =>
    expect(runs([message('a', today(0)), message('b', today(2, 1))])).toEqual(['[a]', '[b]']))

  it('end when the other side speaks', () =>
    expect(runs([message('a', today(0)), message('b', today(0, 5), 'user'), message('c', today(0, 9))])).toEqual([
      '[a]',
      '[b]',
      '[c]',
    ]))

  it('end where the unread messages begin', () =>
    expect(runs([message('a', today(0)), message('b', today(0, 5))], 'b')).toEqual(['[a]', '[b]']))

  it('end at midnight', () => {
    const late = message('a', new Date(2026, 10, 20, 23, 59, 30))
    expect(runs([late, message('b', new Date(2026, 10, 21, 0, 0, 10))])).toEqual(['[a]', '[b]'])
  })
})

const line = (id: string, at: Date): ConversationLine => ({
  ...{ id, at: at.toISOString(), kind: 'accepted', who: 'Pedro', flow: null, number: null, reason: null },
  stopsFlow: false,
})

describe('lines', () => {
  it('stand between messages, and end a run', () => {
    const later = {
      ...message('b', today(0, 9)),
      linesBefore: [line('-', today(0, 5))],
      linesAfter: [line('=', today(1))],
    }
    expect(runs([message('a', today(0)), later])).toEqual(['[a]', '-', '[b]', '='])
  })

  it('stand under their own day, of which messages need know nothing', () => {
    const yesterday = line('-', new Date(2026, 10, 20, 18))
    const messages = [message('a', new Date(2026, 10, 19, 9)), { ...message('b', today(0)), linesBefore: [yesterday] }]
    expect(days(messages).map(({ label, items }) => [label, items.length])).toEqual([
      ['quinta-feira', 1],
      ['Ontem', 1],
      ['Hoje', 1],
    ])
  })

  it('begin no day that is begun again, though clocks differ', () => {
    const midnight = line('-', new Date(2026, 10, 21, 0, 0, 2))
    const late = { ...message('b', new Date(2026, 10, 20, 23, 59, 59)), linesBefore: [midnight] }
    const before = message('a', new Date(2026, 10, 20, 23, 59, 50))
    expect(days([before, late]).map(({ label, items }) => [label, items.length])).toEqual([['Ontem', 3]])
    const early = { ...before, linesAfter: [line('-', new Date(2026, 10, 19, 23))] }
    expect(days([early]).map(({ items }) => items.length)).toEqual([2])
  })
})

describe('day separators', () => {
  it('stand once above each local day, named as people name it', () => {
    const messages = [
      message('a', new Date(2025, 0, 12, 9)),
      message('b', new Date(2026, 0, 12, 9)),
      message('c', new Date(2026, 10, 17, 9)),
      message('d', new Date(2026, 10, 20, 23, 59)),
      message('e', new Date(2026, 10, 21, 0, 1)),
      message('f', today(1)),
    ]
    expect(days(messages).map(({ label, items }) => [label, items.length])).toEqual([
      ['12 de jan. de 2025', 1],
      ['12 de jan.', 1],
      ['terça-feira', 1],
      ['Ontem', 1],
      ['Hoje', 2],
    ])
  })
})

describe('first unread', () => {
  const messages = [
    message('a', today(0)),
    message('b', today(1)),
    message('c', today(2), 'user'),
    message('d', today(3)),
  ]

  it('marks exactly one message', () => {
    const marked = days(messages, 'b')
      .flatMap(messagesIn)
      .filter(({ startsUnread }) => startsUnread)
    expect(marked.map((item) => item.message.id)).toEqual(['b'])
  })
})

describe('another number of ours', () => {
  const over = (id: string, connectionId: string | null, sender: Message['sender'] = 'contact') => ({
    ...message(id, today(0), sender),
    connectionId,
  })
  const marked = (messages: Message[], hasSeveralNumbers = true) =>
    days(messages, null, hasSeveralNumbers).flatMap((day) =>
      messagesIn(day).flatMap(({ message: { id }, otherLine, startsRun }) =>
        otherLine ? [`${startsRun ? '[' : ''}${id} ${otherLine}`] : [],
      ),
    )
  const two = [
    over('a', 'one'),
    over('b', 'one', 'user'),
    over('c', 'two'),
    over('d', 'two', 'user'),
    over('e', 'one', 'user'),
  ]

  it('is marked where it takes over, on either side, and begins a run', () =>
    expect(marked(two)).toEqual(['[c two', '[e one']))

  it('is marked by nobody who has just one', () => expect(marked(two, false)).toEqual([]))

  it('is not concluded from a message of which nobody knows yet, such as one on its way', () =>
    expect(
      marked([over('a', 'one'), over('b', null, 'user'), over('c', 'one'), over('d', null), over('e', 'two')]),
    ).toEqual(['[e two']))

  it('is marked across midnight, too', () => {
    const late = { ...message('a', new Date(2026, 10, 20, 23, 59)), connectionId: 'one' }
    expect(marked([late, over('b', 'two')])).toEqual(['[b two'])
  })
})
