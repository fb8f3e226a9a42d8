import type { User } from '@prosa/contracts/http/auth'
import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, it } from 'vitest'
import { anUser } from '../../test/prosa-server.ts'
import { becomeUser, currentUserQuery } from './current-user.ts'
import { personalKey } from './personal-storage.ts'

const draft = personalKey('drafts')

beforeEach(() => localStorage.setItem(draft, '{"ana":"meu rascunho"}'))

const known = (user: User | null) => {
  const queries = new QueryClient()
  queries.setQueryData(currentUserQuery.queryKey, user)
  return queries
}

it('leaves no personal text behind when somebody signs out', () => {
  becomeUser(known(anUser), null)
  expect(localStorage.getItem(draft)).toBeNull()
})

it('leaves none behind either when the server was faster to say that nobody is signed in', () => {
  becomeUser(known(null), null)
  expect(localStorage.getItem(draft)).toBeNull()
})

it('leaves none to the next user, and keeps it for the same', () => {
  becomeUser(known(anUser), anUser)
  expect(localStorage.getItem(draft)).not.toBeNull()
  becomeUser(known(anUser), { ...anUser, id: 'another' })
  expect(localStorage.getItem(draft)).toBeNull()
})
