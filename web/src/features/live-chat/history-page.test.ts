import type { Message } from '@prosa/contracts/http/live-chat'
import { describe, expect, it } from 'vitest'
import { type History, historyOf, withLatestPage, withNewerPage, withOlderPage, withRenewed } from './history-page.ts'
import { someMessage } from './testing/message-routes.ts'

const message = (id: number, status: Message['status'] = null): Message =>
  someMessage({ id: `m${id}`, contactId: 'c', timestamp: new Date(id * 1000).toISOString(), status })
const messages = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => message(from + index))
const ids = (list: Message[]) => list.map(({ id }) => id)
const loadedOf = (list: Message[], over: Partial<History> = {}): History => ({
  ...historyOf({ items: list, next: null }),
  ...over,
})

describe('history', () => {
  it('keeps what slid out of the latest page', () => {
    const loaded = loadedOf(messages(1, 5), { older: { cursor: 'older' } })
    const merged = withLatestPage(loaded, { items: messages(3, 7), next: 'before 3' })
    expect(ids(merged.messages)).toEqual(ids(messages(1, 7)))
    expect(merged.older).toEqual({ cursor: 'older' })
  })

  it('starts again from the latest page when more arrived than a page holds, so that nothing is missing between', () => {
    const merged = withLatestPage(loadedOf(messages(1, 5)), { items: messages(9, 12), next: 'x' })
    expect(ids(merged.messages)).toEqual(ids(messages(9, 12)))
    expect(merged.older).toEqual({ cursor: 'x' })
  })

  it('takes the new ticks of messages that it had, and leaves the others as they were', () => {
    const loaded = loadedOf([message(1, 'sent'), message(2, 'sent')])
    const merged = withLatestPage(loaded, { items: [message(1, 'read'), message(2, 'sent')], next: null })
    expect(merged.messages[0]?.status).toBe('read')
    expect(merged.messages[1]).toBe(loaded.messages[1])
  })

  it('is the same history when the same page is read again', () => {
    const page = { items: messages(1, 3), next: null }
    const loaded = withLatestPage(undefined, page)
    expect(withLatestPage(loaded, page)).toBe(loaded)
  })

  it('puts older messages before, each once', () => {
    const merged = withOlderPage(loadedOf(messages(4, 6), { older: { cursor: 'a' } }), {
      items: messages(1, 4),
      next: null,
    })
    expect(ids(merged.messages)).toEqual(ids(messages(1, 6)))
    expect(merged.older).toBeNull()
  })
})

describe('history around a message', () => {
  const around = () => historyOf({ items: messages(4, 6), next: 'older', newer: 'newer' }, 'm5')

  it('remembers its message until it reaches the latest', () => {
    expect(around()).toMatchObject({ anchorId: 'm5', newer: { after: 'newer' } })
    expect(historyOf({ items: messages(4, 6), next: 'older' }, 'm5').anchorId).toBeNull()
  })

  it('puts newer messages behind, each once', () => {
    const further = withNewerPage(around(), { items: messages(6, 8), next: null, newer: 'more' })
    expect(ids(further.messages)).toEqual(ids(messages(4, 8)))
    expect(further).toMatchObject({ newer: { after: 'more' }, anchorId: 'm5', older: { cursor: 'older' } })
    expect(withNewerPage(further, { items: messages(9, 9), next: null })).toMatchObject({ newer: null })
  })

  it('is renewed without taking in anything else', () => {
    const renewed = withRenewed(around(), { items: [...messages(1, 4), message(5, 'read')], next: null })
    expect(ids(renewed.messages)).toEqual(ids(messages(4, 6)))
    expect(renewed.messages[1]?.status).toBe('read')
  })
})
