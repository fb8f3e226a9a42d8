import { act, renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { someContact } from '../testing/chat-server.ts'
import { frozen, useFrozenList } from './use-frozen-list.ts'

const people = (...ids: string[]) => ids.map((id) => someContact({ id }))
const idsOf = ({ contacts }: { contacts: readonly { id: string }[] }) => contacts.map(({ id }) => id)

it('keeps the rows where they stood, with what is known now', () => {
  const [ana, bia] = people('ana', 'bia')
  if (!ana || !bia) throw new Error('there are people')
  const list = frozen([ana, bia], [{ ...bia, unreadCount: 3 }, ana], 'pointer')
  expect(idsOf(list)).toEqual(['ana', 'bia'])
  expect(list.contacts[1]?.unreadCount).toBe(3)
})

it('counts who would push others down, and adds who comes behind all of them', () => {
  const list = frozen(people('ana', 'bia'), people('caio', 'ana', 'bia', 'davi'), 'focus')
  expect([idsOf(list), list.late]).toEqual([['ana', 'bia', 'davi'], 1])
})

it('keeps what left under a pointer, which may be about to press it, and lets it go from the focus', () => {
  expect(idsOf(frozen(people('ana', 'bia'), people('bia'), 'pointer'))).toEqual(['ana', 'bia'])
  expect(idsOf(frozen(people('ana', 'bia'), people('bia'), 'focus'))).toEqual(['bia'])
})

it('moves once when nothing holds it any more, and never holds another tab', () => {
  const { result, rerender } = renderHook(({ contacts, scope }) => useFrozenList(contacts, scope), {
    initialProps: { contacts: people('ana', 'bia'), scope: 'waiting' },
  })
  act(() => result.current.onFreeze('pointer', true))
  rerender({ contacts: people('caio', 'bia', 'ana'), scope: 'waiting' })
  expect([idsOf(result.current), result.current.late]).toEqual([['ana', 'bia'], 1])
  rerender({ contacts: people('caio', 'bia', 'ana', 'davi'), scope: 'waiting' })
  expect([idsOf(result.current), result.current.late]).toEqual([['ana', 'bia', 'davi'], 1])
  act(() => result.current.onFreeze('pointer', false))
  expect([idsOf(result.current), result.current.late]).toEqual([['caio', 'bia', 'ana', 'davi'], 0])
  act(() => result.current.onFreeze('focus', true))
  rerender({ contacts: people('eva'), scope: 'attending' })
  expect(idsOf(result.current)).toEqual(['eva'])
})
