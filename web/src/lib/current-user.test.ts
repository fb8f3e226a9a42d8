import type { User } from '@prosa/contracts/http/accounts/auth'
import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, it } from 'vitest'
import { anUser } from '../../test/prosa-server.ts'
import { becomeUser, currentUserQuery } from './current-user.ts'
import { claimPersonalStorage, forgetPersonalStorage, personalKey } from './personal-storage.ts'

const draft = personalKey('drafts')

beforeEach(() => {
  forgetPersonalStorage()
  localStorage.setItem(draft, '{"ana":"meu rascunho"}')
})

const known = (user: User | null) => {
  const queries = new QueryClient()
  queries.setQueryData(currentUserQuery.queryKey, user)
  return queries
}

it('leaves no personal text behind when somebody signs out', () => {
  becomeUser(known(anUser), null)
  expect(localStorage.getItem(draft)).toBeNull()
})

it('leaves none behind either when the server was faster to answer that nobody is signed in', () => {
  becomeUser(known(null), null)
  expect(localStorage.getItem(draft)).toBeNull()
})

it('leaves none to the next user, and keeps it for the same', () => {
  becomeUser(known(anUser), anUser)
  expect(localStorage.getItem(draft)).not.toBeNull()
  becomeUser(known(anUser), { ...anUser, id: 'another' })
  expect(localStorage.getItem(draft)).toBeNull()
})

it('keeps it for whoever signs in again after their session ended, and for nobody else', () => {
  claimPersonalStorage(anUser.id)
  becomeUser(known(null), anUser)
  expect(localStorage.getItem(draft)).not.toBeNull()
  becomeUser(known(null), { ...anUser, id: 'another' })
  expect(localStorage.getItem(draft)).toBeNull()
})

it('leaves none to the same user who signed out', () => {
  claimPersonalStorage(anUser.id)
  becomeUser(known(anUser), null)
  localStorage.setItem(draft, 'left by a tab that was still open')
  becomeUser(known(null), anUser)
  expect(localStorage.getItem(draft)).toBeNull()
})

it('leaves none to somebody who signed in in another tab', () => {
  claimPersonalStorage('another')
  localStorage.setItem(draft, 'theirs')
  claimPersonalStorage(anUser.id)
  expect(localStorage.getItem(draft)).toBeNull()
})
