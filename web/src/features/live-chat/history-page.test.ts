import type { Message } from '@prosa/contracts/http/live-chat'
import { describe, expect, it } from 'vitest'
import { withLatestPage, withOlderPage } from './history-page.ts'

const message = (id: number, status: Message['status'] = null): Message => ({
  id: `m${id}`,
  contactId: 'c',
  content: `${id}`,
  kind: 'text',
  sender: 'contact',
  timestamp: new Date(id * 1000).toISOString(),
  status,
  failure: null,
  sentElsewhere: false,
})
const messages = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => message(from + index))
const ids = (list: Message[]) => list.map(({ id }) => id)

describe('history', () => {
  it('keeps what slid out of the latest page', () => {
    const loaded = { messages: messages(1, 5), olderCursor: 'older' }
    const merged = withLatestPage(loaded, { items: messages(3, 7), next: 'before 3' })
    expect(ids(merged.messages)).toEqual(ids(messages(1, 7)))
    expect(merged.olderCursor).toBe('older')
  })

  it('starts again from the latest page when more arrived than a page holds, so that nothing is missing between', () => {
    const merged = withLatestPage(
      { messages: messages(1, 5), olderCursor: null },
      { items: messages(9, 12), next: 'x' },
    )
    expect(merged).toEqual({ messages: messages(9, 12), olderCursor: 'x' })
  })

  it('takes the new ticks of messages that it had', () => {
    const merged = withLatestPage(
      { messages: [message(1, 'sent')], olderCursor: null },
      { items: [message(1, 'read')], next: null },
    )
    expect(merged.messages[0]?.status).toBe('read')
  })

  it('puts older messages before, each once', () => {
    const merged = withOlderPage({ messages: messages(4, 6), olderCursor: 'a' }, { items: messages(1, 4), next: null })
    expect(ids(merged.messages)).toEqual(ids(messages(1, 6)))
    expect(merged.olderCursor).toBeNull()
  })
})
