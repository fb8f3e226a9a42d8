import { specify } from '@prosa/kernel/domain/specify'
import { describe, it } from 'vitest'
import { passwordReset } from './password-reset.ts'

const link = (resetId: string) => ({
  resetId,
  credentialId: '7c0c5a0e-5f5e-4a53-9a37-3f4f1c1f0a11',
  emailChangeId: null,
  delivery: 'mail' as const,
  expiresAt: '2026-11-21T12:30:00.000Z',
})
const requested = (resetId: string) => ({ type: 'PasswordResetRequested', data: link(resetId) }) as const
const completed = (resetId: string) => ({ type: 'PasswordResetCompleted', data: { resetId } }) as const
const complete = (resetId: string) => ({ type: 'CompleteReset', data: { resetId } }) as const

const given = specify(passwordReset)

describe('the links of an account', () => {
  it('are recorded as they are asked for, each once', () => {
    given()
      .when({ type: 'RequestReset', data: link('one') })
      .then(requested('one'))
    given(requested('one'))
      .when({ type: 'RequestReset', data: link('one') })
      .thenNothing()
  })
  it('hold until a newer one is asked for', () => {
    given(requested('one')).when(complete('one')).then(completed('one'))
    given(requested('one'), requested('two')).when(complete('one')).thenNothing()
    given(requested('one'), requested('two')).when(complete('two')).then(completed('two'))
  })
  it('are completed once', () => given(requested('one'), completed('one')).when(complete('one')).thenNothing())
})
