import { fold } from '@prosa/kernel/domain/decider'
import { specify } from '@prosa/kernel/domain/specify'
import { expect, it } from 'vitest'
import { type KiwifySubscriptionEvent, kiwifySubscription } from './kiwify-subscription.ts'

const given = specify(kiwifySubscription)
const [ana, bia] = ['0b7c8a7e-59b4-4a39-8d0a-6f2f5b0f8d11', '4d7ff6a3-7a52-4f7e-9d1b-1b7a3f0c9e22'] as const
const remember = (userId: string) => ({ type: 'RememberSubscriber', data: { userId } }) as const
const move = (userId: string) => ({ type: 'MoveSubscriber', data: { userId } }) as const
const remembered = (userId: string): KiwifySubscriptionEvent => ({ type: 'SubscriberRemembered', data: { userId } })
const decided = (userId: string): KiwifySubscriptionEvent => ({
  type: 'SubscriberRemembered',
  data: { userId, isDecided: true },
})
const isDecided = (...events: KiwifySubscriptionEvent[]) =>
  fold(kiwifySubscription, kiwifySubscription.initial, events).isDecided

it('pays for the account that was known first, and for another only by a decision', () => {
  given().when(remember(ana)).then(remembered(ana))
  given(remembered(ana)).when(remember(bia)).thenNothing()
  given(remembered(ana)).when(move(bia)).then(decided(bia))
  given(decided(bia)).when(remember(ana)).thenNothing()
})

it('is decided once, back again too, and also for whom it pays already', () => {
  given(decided(bia)).when(move(bia)).thenNothing()
  given(decided(bia)).when(move(ana)).then(decided(ana))
  given(remembered(ana)).when(move(ana)).then(decided(ana))
  given().when(move(ana)).then(decided(ana))
})

it('was decided where it moved before that was noted', () => {
  expect(isDecided(remembered(ana))).toBe(false)
  expect(isDecided(remembered(ana), remembered(bia))).toBe(true)
  expect(isDecided(decided(ana))).toBe(true)
})
