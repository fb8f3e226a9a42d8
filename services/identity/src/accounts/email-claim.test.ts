import { fold } from '@prosa/kernel/domain/decider'
import { specify } from '@prosa/kernel/domain/specify'
import { describe, expect, it } from 'vitest'
import { type EmailClaimEvent, emailClaim, isTrialUsed } from './email-claim.ts'

const [ana, bia] = ['7c0c5a0e-5f5e-4a53-9a37-3f4f1c1f0a11', 'c2b4a1de-91c4-4f0e-8a53-6f0a2f1b7d33'] as const
const [first, second] = ['0d5b2f37-8f0e-4d0a-b5f7-1f6c1f3f9c55', '4b7d8a1e-3c5a-4a9e-9d61-0c8b7a6f5e44'] as const

const claim = (userId: string, changeId?: string) => ({ type: 'ClaimEmail', data: { userId, changeId } }) as const
const claimed = (userId: string, changeId?: string) => ({ type: 'EmailClaimed', data: { userId, changeId } }) as const
const release = (userId: string, changeId: string | null) =>
  ({ type: 'ReleaseEmail', data: { userId, changeId } }) as const
const released = (userId: string) => ({ type: 'EmailReleased', data: { userId } }) as const

const given = specify(emailClaim)

describe('an e-mail address', () => {
  it('goes to the first who claims it', () => given().when(claim(ana)).then(claimed(ana)))
  it('is claimed once, however often it is asked for', () => {
    given(claimed(ana)).when(claim(ana)).thenNothing()
    given(claimed(ana, first)).when(claim(ana, first)).thenNothing()
  })
  it('stays with whom it is', () => {
    given(claimed(ana)).when(claim(bia)).thenNothing()
    given(claimed(ana)).when(claim(bia, first)).thenNothing()
  })
  it('is let go once', () => {
    given(claimed(ana)).when(release(ana, null)).then(released(ana))
    given(claimed(ana), released(ana)).when(release(ana, null)).thenNothing()
  })
  it('is let go by nobody else', () => given(claimed(ana)).when(release(bia, null)).thenNothing())
  it('may be claimed again afterwards', () => given(claimed(ana), released(ana)).when(claim(bia)).then(claimed(bia)))
  it('had its free period with the first account that ever had it, and with no other', () => {
    const after = (...events: EmailClaimEvent[]) => fold(emailClaim, emailClaim.initial, events)
    const left = after(claimed(ana), released(ana), claimed(bia, first))
    expect([isTrialUsed(left, ana), isTrialUsed(left, bia)]).toEqual([false, true])
    expect(isTrialUsed(after(), ana)).toBe(false)
    expect(isTrialUsed(after(claimed(ana), claimed(ana, second)), ana)).toBe(false)
  })
  it('stays with an account that came back to it before it was let go', () => {
    given(claimed(ana)).when(claim(ana, second)).then(claimed(ana, second))
    given(claimed(ana), claimed(ana, second)).when(release(ana, null)).thenNothing()
  })
})
