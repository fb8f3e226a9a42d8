import { expect, it } from 'vitest'
import { type Mergeable, survivorOf } from './survivor.ts'

const single: Mergeable = { status: 'waiting', into: null, separated: [] }
const absorbed = (into: string): Mergeable => ({ status: 'absorbed', into, separated: [] })

const survivorIn = async (contacts: Readonly<Record<string, Mergeable>>, id: string) =>
  (await survivorOf(async (each) => contacts[each] ?? single, id)).id

it('follows merges to the last contact', async () => {
  expect(await survivorIn({ a: absorbed('b'), b: absorbed('c') }, 'a')).toBe('c')
  expect(await survivorIn({}, 'a')).toBe('a')
})

it('stops at a contact that is being separated', async () => {
  const contacts = { a: absorbed('b'), b: absorbed('c'), c: { ...single, separated: ['b'] } }
  expect(await survivorIn(contacts, 'a')).toBe('b')
  expect(await survivorIn(contacts, 'b')).toBe('b')
})
