import type { Contact } from '@prosa/contracts/http/live-chat'
import { describe, expect, it } from 'vitest'
import { someContact } from '../testing/chat-server.ts'
import { dedupeContacts, waitsTooLong } from './contact-lists.ts'

const contact = (id: string, over: Partial<Contact> = {}): Contact =>
  someContact({
    id,
    phone: `55119000000${id}`,
    lastActivity: '2026-11-21T12:00:00.000Z',
    waitingSince: '2026-11-21T12:00:00.000Z',
    ...over,
  })

describe('contact list', () => {
  it('shows one row a phone, the one with the latest activity', () => {
    const older = contact('1', { phone: '5511988776655' })
    const newer = contact('2', { phone: '5511988776655', lastActivity: '2026-11-21T13:00:00.000Z' })
    expect(dedupeContacts([older, contact('3'), newer]).map(({ id }) => id)).toEqual(['3', '2'])
  })

  it('keeps contacts whose phone is not known', () =>
    expect(dedupeContacts([contact('1', { phone: null }), contact('2', { phone: null })])).toHaveLength(2))

  it('shows a contact once that two pages brought', () =>
    expect(dedupeContacts([contact('1'), contact('1')]).map(({ id }) => id)).toEqual(['1']))
})

it('a contact waits too long after five minutes, and only while waiting', () => {
  const since = Date.parse('2026-11-21T12:00:00.000Z')
  expect(waitsTooLong(contact('1'), since + 300_000)).toBe(false)
  expect(waitsTooLong(contact('1'), since + 300_001)).toBe(true)
  expect(waitsTooLong(contact('1', { serviceStatus: 'resolved', waitingSince: null }), since + 900_000)).toBe(false)
})
