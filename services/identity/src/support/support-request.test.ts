import { specify } from '@prosa/kernel/domain/specify'
import { describe, it } from 'vitest'
import { type SupportRequestEvent, supportRequest } from './support-request.ts'

const data = { subject: 'Meu número não conecta', message: 'Leio o código e nada acontece.', priority: 'high' } as const
const requested: SupportRequestEvent = { type: 'SupportRequested', data }
const answered: SupportRequestEvent = { type: 'SupportRequestAnswered', data: {} }
const request = { type: 'RequestSupport', data } as const
const answer = { type: 'AnswerSupportRequest', data: {} } as const

const given = specify(supportRequest)

describe('a message to support', () => {
  it('is stored with its words', () => given().when(request).then(requested))
  it('is stored once, however often it is sent', () => {
    given(requested).when(request).thenNothing()
    given(requested, answered).when(request).thenNothing()
  })
  it('is answered once', () => {
    given(requested).when(answer).then(answered)
    given(requested, answered).when(answer).thenNothing()
  })
  it('cannot be answered before it was written', () => given().when(answer).thenRejected('support_request_not_found'))
})
