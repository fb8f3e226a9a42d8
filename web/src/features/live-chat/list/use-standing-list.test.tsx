import { act, renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { someContact } from '../testing/chat-server.ts'
import { standStill, useStandingList } from './use-standing-list.ts'

const people = (...ids: string[]) => ids.map((id) => someContact({ id }))
const idsOf = ({ contacts }: { contacts: readonly { id: string }[] }) => contacts.map(({ id }) => id)

it('keeps the rows where they stood, with what is known now', () => {
  const [ana, bia] = people('ana', 'bia')
  if (!ana || !bia) throw new Error('there are people')
  const stood = standStill([ana, bia], [{ ...bia, unreadCount: 3 }, ana], 'pointer')
  expect(idsOf(stood)).toEqual(['ana', 'bia'])
  expect(stood.contacts[1]?.unreadCount).toBe(3)
})

it('counts who would push others down, and adds who comes behind all of them', () => {
  const stood = standStill(people('ana', 'bia'), people('caio', 'ana', 'bia', 'davi'), 'focus')
  expect([idsOf(stood), stood.late]).toEqual([['ana', 'bia', 'davi'], 1])
})

it('keeps what left under a pointer, which may be about to press it, and lets it go from the focus', () => {
  expect(idsOf(standStill(people('ana', 'bia'), people('bia'), 'pointer'))).toEqual(['ana', 'bia'])
  expect(idsOf(standStill(people('ana', 'bia'), people('bia'), 'focus'))).toEqual(['bia'])
})

it('moves once when nothing holds it any more, and never holds another tab', () => {
  const { result, rerender } = renderHook(({ contacts, scope }) => useStandingList(contacts, scope), {
    initialProps: { contacts: people('ana', 'bia'), scope: 'waiting' },
  })
  act(() => result.current.onHold('pointer', true))
  rerender({ contacts: people('caio', 'bia', 'ana'), scope: 'waiting' })
  expect([idsOf(result.current), result.current.late]).toEqual([['ana', 'bia'], 1])
  rerender({ contacts: people('caio', 'bia', 'ana', 'davi'), scope: 'waiting' })
  expect([idsOf(result.current), result.current.late]).toEqual([['ana', 'bia', 'davi'], 1])
  act(() => result.current.onHold('pointer', false))
  expect([idsOf(result.current), result.current.late]).toEqual([['caio', 'bia', 'ana', 'davi'], 0])
  act(() => result.current.onHold('focus', true))
  rerender({ contacts: people('eva'), scope: 'attending' })
  expect(idsOf(result.current)).toEqual(['eva'])
})
