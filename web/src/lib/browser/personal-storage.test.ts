import { expect, it } from 'vitest'
import { forgetPersonalStorage, personalKey } from './personal-storage.ts'

it('forgets drafts and unsent messages of whoever signed out, and keeps the theme', () => {
  localStorage.setItem(personalKey('drafts'), '{"ana":"meu rascunho"}')
  sessionStorage.setItem(personalKey('outgoing'), '[]')
  localStorage.setItem('prosa-theme', 'dark')
  forgetPersonalStorage()
  expect(localStorage.getItem(personalKey('drafts'))).toBeNull()
  expect(sessionStorage.getItem(personalKey('outgoing'))).toBeNull()
  expect(localStorage.getItem('prosa-theme')).toBe('dark')
})
