import { later } from '@prosa/kernel/clock'
import { specify } from '@prosa/kernel/testing/specify'
import { describe, it } from 'vitest'
import { type SubscriptionEvent, subscription } from './subscription.ts'

const given = specify(subscription)
const endsAt = '2026-12-01T12:00:00.000Z'
const started: SubscriptionEvent = { type: 'TrialStarted', data: { endsAt } }
const ended: SubscriptionEvent = { type: 'TrialEnded', data: {} }
const end = (at: string) => ({ type: 'EndTrial', data: { at } }) as const

describe('a trial', () => {
  it('starts once, however often it is asked for', () => {
    given().when({ type: 'StartTrial', data: { endsAt } }).then(started)
    given(started)
      .when({ type: 'StartTrial', data: { endsAt: later(endsAt, 1) } })
      .thenNothing()
    given(started, ended)
      .when({ type: 'StartTrial', data: { endsAt: later(endsAt, 1) } })
      .thenNothing()
  })
  it('ends at its end, and not before', () => {
    given(started)
      .when(end(later(endsAt, -1)))
      .thenNothing()
    given(started).when(end(endsAt)).then(ended)
  })
  it('ends once', () => given(started, ended).when(end(endsAt)).thenNothing())
  it('does not end where none has started', () => given().when(end(endsAt)).thenNothing())
})
