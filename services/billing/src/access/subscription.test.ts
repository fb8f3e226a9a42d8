import { later } from '@prosa/kernel/clock'
import { specify } from '@prosa/kernel/domain/specify'
import type { SubscriptionEvent } from '@prosa/product/access/subscription-state'
import { describe, it } from 'vitest'
import { subscription } from './subscription.ts'

const given = specify(subscription)
const day = 24 * 3600 * 1000
const trialEnd = '2026-12-01T12:00:00.000Z'
const started: SubscriptionEvent = { type: 'TrialStarted', data: { endsAt: trialEnd } }
const trialEnded: SubscriptionEvent = { type: 'TrialEnded', data: {} }
const accessEnded: SubscriptionEvent = { type: 'AccessEnded', data: {} }
const end = (at: string) => ({ type: 'EndAccess', data: { at } }) as const

const paid = later(trialEnd, 30 * day)
const about = { subscriptionId: 'sub-1', productId: 'pro' }
const grant = (orderId: string, until: string) => ({ type: 'GrantAccess', data: { orderId, until, ...about } }) as const
type By = 'trial' | 'order' | 'decision'
const granted = (orderId: string, until: string, endsAt = until, by: By = 'order'): SubscriptionEvent => ({
  type: 'AccessGranted',
  data: { orderId, until, ...about, endsAt, status: 'active', by },
})
const revoke = (orderId: string) => ({ type: 'RevokeAccess', data: { orderId, cause: 'refund' } }) as const
const revoked = (orderId: string, endsAt: string | null, by: By = 'order'): SubscriptionEvent => ({
  type: 'AccessRevoked',
  data: { orderId, cause: 'refund', endsAt, ...(endsAt ? { status: 'active', by } : { status: 'expired' }) },
})

describe('a trial', () => {
  it('starts once, however often it is asked for', () => {
    const start = (endsAt: string) => ({ type: 'StartTrial', data: { endsAt } }) as const
    given().when(start(trialEnd)).then(started)
    given(started)
      .when(start(later(trialEnd, 1)))
      .thenNothing()
    given(started, trialEnded)
      .when(start(later(trialEnd, 1)))
      .thenNothing()
  })
  it('is given to whoever has paid, too: the money may go back', () =>
    given(granted('a', paid))
      .when({ type: 'StartTrial', data: { endsAt: trialEnd } })
      .then(started))
  it('ends at its end, and not before', () => {
    given(started)
      .when(end(later(trialEnd, -1)))
      .thenNothing()
    given(started).when(end(trialEnd)).then(trialEnded)
  })
  it('ends once', () => given(started, trialEnded).when(end(trialEnd)).thenNothing())
  it('does not end where none has started', () => given().when(end(trialEnd)).thenNothing())
  it('does not end whoever has paid by then', () =>
    given(started, granted('a', paid)).when(end(trialEnd)).thenNothing())
})

describe('a warning of the month’s messages', () => {
  const [november, december] = ['2026-11-01T03:00:00.000Z', '2026-12-01T03:00:00.000Z']
  const about = (percent: 80 | 100, limit = 100, periodStart = november) => ({
    ...{ percent, used: Math.ceil((limit * percent) / 100), limit, periodStart },
  })
  const warn = (data: ReturnType<typeof about>) => ({ type: 'WarnOfLimit', data }) as const
  const warned = (data: ReturnType<typeof about>): SubscriptionEvent => ({ type: 'LimitWarned', data })
  it('is given once for each percentage, however many processes find it, and not backwards', () => {
    given(started)
      .when(warn(about(80)))
      .then(warned(about(80)))
    given(started, warned(about(80)))
      .when(warn({ ...about(80), used: 91 }))
      .thenNothing()
    given(started, warned(about(80)))
      .when(warn(about(100)))
      .then(warned(about(100)))
    given(started, warned(about(100)))
      .when(warn(about(80)))
      .thenNothing()
  })
  it('is given anew for another limit and in another month, and never for a month that is over', () => {
    given(started, warned(about(100)))
      .when(warn(about(80, 5000)))
      .then(warned(about(80, 5000)))
    given(started, warned(about(100)), warned(about(80, 5000)))
      .when(warn(about(100)))
      .thenNothing()
    given(started, warned(about(100)))
      .when(warn(about(80, 100, december)))
      .then(warned(about(80, 100, december)))
    given(started, warned(about(80, 100, december)))
      .when(warn(about(100)))
      .thenNothing()
  })
  it('reaches nobody who was erased', () =>
    given(started, { type: 'SubscriberErased', data: {} })
      .when(warn(about(100)))
      .thenNothing())
})

describe('a free period that the address had with another account', () => {
  const at = later(trialEnd, -10 * day)
  const withhold = { type: 'WithholdTrial', data: { at } } as const
  const withheld: SubscriptionEvent = { type: 'TrialWithheld', data: { at, endsAt: at, status: 'expired' } }
  it('does not begin, however often that is found', () => {
    given().when(withhold).then(withheld)
    given(withheld).when(withhold).thenNothing()
    given(withheld)
      .when({ type: 'StartTrial', data: { endsAt: trialEnd } })
      .thenNothing()
    given(withheld).when(end(trialEnd)).then(accessEnded)
  })
  it('ends at once where it had begun, and what has ended stays as it is', () => {
    given(started).when(withhold).then(withheld)
    given(started, trialEnded)
      .when({ type: 'WithholdTrial', data: { at: later(trialEnd, day) } })
      .thenNothing()
  })
  it('takes nothing of what was paid or given', () => {
    given(started, granted('a', paid))
      .when(withhold)
      .then({ type: 'TrialWithheld', data: { at, endsAt: paid, status: 'active', by: 'order' } })
    given(withheld).when(grant('a', paid)).then(granted('a', paid))
    given(withheld, granted('a', paid))
      .when(revoke('a'))
      .then({ type: 'AccessRevoked', data: { orderId: 'a', cause: 'refund', endsAt: at, status: 'expired' } })
  })
  it('can be given by an administrator all the same', () =>
    given(withheld)
      .when({ type: 'ExtendAccess', data: { until: trialEnd, at: later(at, day) } })
      .then({
        type: 'AccessSet',
        data: {
          decision: 'extended',
          before: { endsAt: at, status: 'expired' },
          endsAt: trialEnd,
          status: 'active',
        },
      }))
})

describe('a payment', () => {
  it('whose plan becomes known later has its limits, and as much time', () => {
    const early: SubscriptionEvent = {
      type: 'AccessGranted',
      data: { orderId: 'a', until: paid, ...about, productId: null, endsAt: paid, status: 'active', by: 'order' },
    }
    given(started, early)
      .when(grant('a', later(paid, -day)))
      .then(granted('a', paid))
    given(started, early, granted('a', paid)).when(grant('a', paid)).thenNothing()
  })

  it('whose plan is known keeps its limits, whatever a later report leaves out', () =>
    given(granted('a', paid))
      .when({ type: 'GrantAccess', data: { orderId: 'a', until: paid, ...about, productId: null } })
      .thenNothing())

  it('sets access to its date', () => given(started).when(grant('a', paid)).then(granted('a', paid)))
  it('gives access back after the trial has ended', () =>
    given(started, trialEnded).when(grant('a', paid)).then(granted('a', paid)))
  it('that is reported twice gives nothing twice', () =>
    given(started, granted('a', paid)).when(grant('a', paid)).thenNothing())
  it('that turns out to last longer moves the end', () =>
    given(granted('a', paid))
      .when(grant('a', later(paid, day)))
      .then(granted('a', later(paid, day))))
  it('of a period before the end of the free one leaves that', () =>
    given(started)
      .when(grant('a', later(trialEnd, -5 * day)))
      .then(granted('a', later(trialEnd, -5 * day), trialEnd, 'trial')))
  it('of a period before the last one changes no end', () =>
    given(granted('b', later(paid, 30 * day)))
      .when(grant('a', paid))
      .then(granted('a', paid, later(paid, 30 * day))))
  it('ends at its end, and once', () => {
    given(started, granted('a', paid)).when(end(paid)).then(accessEnded)
    given(started, granted('a', paid), accessEnded).when(end(paid)).thenNothing()
  })
  it('of the next period ends in its turn', () =>
    given(granted('a', paid), accessEnded, granted('b', later(paid, 30 * day)))
      .when(end(later(paid, 30 * day)))
      .then(accessEnded))
})

describe('money that went back', () => {
  it('ends what it had paid for', () => given(granted('a', paid)).when(revoke('a')).then(revoked('a', null)))
  it('leaves what other orders paid for', () =>
    given(granted('a', paid), granted('b', later(paid, 30 * day)))
      .when(revoke('b'))
      .then(revoked('b', paid)))
  it('is not outweighed by an approval that comes late', () =>
    given(granted('a', paid), revoked('a', null)).when(grant('a', paid)).thenNothing())
  it('may be reported before the approval', () => {
    given(started)
      .when(revoke('a'))
      .then(revoked('a', trialEnd, 'trial'))
    given(started, revoked('a', trialEnd, 'trial'))
      .when(grant('a', paid))
      .thenNothing()
  })
  it('leaves the free period, whoever paid and took it back', () => {
    given(started, granted('a', paid))
      .when(revoke('a'))
      .then(revoked('a', trialEnd, 'trial'))
    given(started, granted('a', paid), revoked('a', trialEnd, 'trial'))
      .when(end(trialEnd))
      .then(trialEnded)
  })
  it('goes back once', () => given(granted('a', paid), revoked('a', null)).when(revoke('a')).thenNothing())
  it('leaves nothing to end', () => given(granted('a', paid), revoked('a', null)).when(end(paid)).thenNothing())
})

describe('an order that is another account’s now', () => {
  const detach = { type: 'DetachOrder', data: { orderId: 'a' } } as const
  const attached: SubscriptionEvent = { type: 'OrderAttached', data: { orderId: 'a' } }
  const detached: SubscriptionEvent = { type: 'OrderDetached', data: { orderId: 'a' } }
  const moved: SubscriptionEvent = {
    type: 'AccessRevoked',
    data: { orderId: 'a', cause: 'moved', endsAt: trialEnd, status: 'active', by: 'trial' },
  }
  it('takes its access with it, once', () => {
    given(started, attached, granted('a', paid)).when(detach).then(moved, detached)
    given(started, attached, granted('a', paid), moved, detached).when(detach).thenNothing()
    given(started).when(detach).thenNothing()
  })
  it('takes nothing where it gave nothing: not paid, or its money went back', () => {
    given(started, attached).when(detach).then(detached)
    given(started, attached, granted('a', paid), revoked('a', trialEnd, 'trial'))
      .when(detach)
      .then(detached)
  })
  it('gives the same once it comes back', () =>
    given(started, attached, granted('a', paid), moved, detached).when(grant('a', paid)).then(granted('a', paid)))
})

describe('a cancelled renewal', () => {
  const cancel = { type: 'CancelRenewal', data: { subscriptionId: 'sub-1' } } as const
  const cancelled: SubscriptionEvent = {
    type: 'RenewalCancelled',
    data: { subscriptionId: 'sub-1', status: 'cancelled' },
  }
  it('keeps what is paid for until its end', () => {
    given(granted('a', paid)).when(cancel).then(cancelled)
    given(granted('a', paid), cancelled)
      .when(end(later(paid, -1)))
      .thenNothing()
    given(granted('a', paid), cancelled).when(end(paid)).then(accessEnded)
  })
  it('may be reported before the payment', () =>
    given({ type: 'RenewalCancelled', data: { subscriptionId: 'sub-1', status: 'active' } })
      .when(grant('a', paid))
      .then({
        type: 'AccessGranted',
        data: { orderId: 'a', until: paid, ...about, endsAt: paid, status: 'cancelled', by: 'order' },
      }))
  it('of another subscription says nothing about this one', () =>
    given(granted('a', paid))
      .when({ type: 'CancelRenewal', data: { subscriptionId: 'sub-2' } })
      .then({ type: 'RenewalCancelled', data: { subscriptionId: 'sub-2', status: 'active' } }))
  it('is cancelled once', () => given(granted('a', paid), cancelled).when(cancel).thenNothing())
})

describe('an administrator', () => {
  const now = later(trialEnd, -5 * day)
  const extended = later(trialEnd, 30 * day)
  const extend = (until: string) => ({ type: 'ExtendAccess', data: { until, at: now } }) as const
  const remove = (at = now) => ({ type: 'RemoveAccess', data: { at } }) as const
  const setTo = (status: 'active' | 'expired' | 'cancelled', at = now) =>
    ({ type: 'SetAccessStatus', data: { status, at } }) as const
  const active = (endsAt: string) => ({ endsAt, status: 'active' }) as const
  type AccessSet = Extract<SubscriptionEvent, { type: 'AccessSet' }>
  const set = (data: AccessSet['data']): AccessSet => ({ type: 'AccessSet', data })
  const wasExtended = set({ decision: 'extended', before: active(trialEnd), ...active(extended) })
  const removedFrom = (endsAt: string) =>
    set({ decision: 'removed', before: active(endsAt), endsAt: now, status: 'expired' })

  it('extends access to a date, once', () => {
    given(started).when(extend(extended)).then(wasExtended)
    given(started, wasExtended).when(extend(extended)).thenNothing()
  })
  it('opens what has ended', () =>
    given(started, trialEnded)
      .when({ type: 'ExtendAccess', data: { until: extended, at: later(trialEnd, day) } })
      .then(
        set({
          decision: 'extended',
          before: { endsAt: trialEnd, status: 'expired' },
          ...active(extended),
        }),
      ))
  it('gives a time that ends in its turn', () => {
    given(started, wasExtended).when(end(trialEnd)).thenNothing()
    given(started, wasExtended).when(end(extended)).then(accessEnded)
    given(started, wasExtended, accessEnded).when(end(extended)).thenNothing()
  })
  it('removes access at once, which leaves nothing to end', () => {
    given(started).when(remove()).then(removedFrom(trialEnd))
    given(started, removedFrom(trialEnd)).when(remove()).thenNothing()
    given(started, removedFrom(trialEnd)).when(end(trialEnd)).thenNothing()
  })
  it('sets what is shown while access lasts, and ends it', () => {
    const before = active(trialEnd)
    const cancelled = set({
      decision: 'status_set',
      before,
      endsAt: trialEnd,
      status: 'cancelled',
    })
    given(started).when(setTo('cancelled')).then(cancelled)
    given(started, cancelled).when(setTo('cancelled')).thenNothing()
    given(started)
      .when(setTo('expired'))
      .then(set({ decision: 'status_set', before, endsAt: now, status: 'expired' }))
    given(started).when(setTo('active')).thenNothing()
  })
  it('cannot make active what has ended: until when would it be?', () => {
    given(started, trialEnded)
      .when(setTo('active', later(trialEnd, 1)))
      .thenRejected('access_has_ended')
    given(started, removedFrom(trialEnd))
      .when(setTo('cancelled', later(now, 1)))
      .thenRejected('access_has_ended')
  })
  it('decides about accounts that there are', () => {
    for (const command of [extend(extended), remove(), setTo('expired')]) {
      given().when(command).thenRejected('user_not_found')
      given(started, { type: 'SubscriberErased', data: {} }).when(command).thenRejected('user_not_found')
    }
  })
  it('may decide again, and the later decision counts', () =>
    given(started, wasExtended).when(remove()).then(removedFrom(extended)))

  const stillRemoved = (orderId: string, until: string): SubscriptionEvent => ({
    type: 'AccessGranted',
    data: { orderId, until, ...about, endsAt: now, status: 'expired', by: 'decision' },
  })
  it('who removed access is not undone by what was known of an order then', () => {
    given(granted('a', paid), removedFrom(paid)).when(grant('a', paid)).thenNothing()
    given(granted('a', paid), removedFrom(paid))
      .when(grant('a', later(paid, day)))
      .then(stillRemoved('a', later(paid, day)))
  })
  it('who removed access is outweighed by the payment of another order', () =>
    given(granted('a', paid), removedFrom(paid)).when(grant('b', extended)).then(granted('b', extended)))
  it('who extended access is outweighed by a payment for a later date, and by no other', () => {
    given(started, wasExtended)
      .when(grant('a', later(extended, day)))
      .then(granted('a', later(extended, day)))
    given(started, wasExtended)
      .when(grant('a', later(extended, -day)))
      .then(granted('a', later(extended, -day), extended, 'decision'))
  })
  it('who extended access takes nothing from what lasts longer', () =>
    given(started, granted('a', later(extended, day)))
      .when(extend(extended))
      .thenRejected('access_lasts_longer'))
  it('who extends what a clock that was ahead has ended gives as much as that', () =>
    given(granted('a', later(extended, day)), accessEnded)
      .when(extend(extended))
      .then(
        set({
          decision: 'extended',
          before: { endsAt: later(extended, day), status: 'expired' },
          ...active(extended),
        }),
      ))
  it('who removed access and extended it again gives no more than that', () => {
    const again = set({ decision: 'extended', before: { endsAt: now, status: 'expired' }, ...active(extended) })
    const history = [granted('a', later(extended, 90 * day)), removedFrom(later(extended, 90 * day))]
    given(...history)
      .when(extend(extended))
      .then(again)
    given(...history, again)
      .when(grant('b', later(extended, -day)))
      .then(granted('b', later(extended, -day), extended, 'decision'))
  })
  it('who changed what is shown gave no time: the end of a refund stays its end', () => {
    const cancelled = set({ decision: 'status_set', before: active(paid), endsAt: paid, status: 'cancelled' })
    given(granted('a', paid), cancelled).when(revoke('a')).then(revoked('a', null))
  })
  it('who extended access meant it, also when the money of an order before goes back', () =>
    given(granted('a', paid), wasExtended)
      .when(revoke('a'))
      .then(revoked('a', extended, 'decision')))
})
