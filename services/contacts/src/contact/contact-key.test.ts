import { specify } from '@prosa/kernel/domain/specify'
import { describe, it } from 'vitest'
import { type ContactKeyEvent, contactKey } from './contact-key.ts'

const given = specify(contactKey)
const [ana, other] = ['c2b4a1de-91c4-4f0e-8a53-6f0a2f1b7d33', '7c0c5a0e-5f5e-4a53-9a37-3f4f1c1f0a11']
const claimed: ContactKeyEvent = { type: 'ContactKeyClaimed', data: { contactId: ana } }
const released: ContactKeyEvent = { type: 'ContactKeyReleased', data: { contactId: ana } }
const claim = (contactId: string) => ({ type: 'ClaimContactKey', data: { contactId } }) as const
const release = (contactId: string) => ({ type: 'ReleaseContactKey', data: { contactId } }) as const

describe('an address', () => {
  it('stays with the first contact that claims it', () => {
    given().when(claim(ana)).then(claimed)
    given(claimed).when(claim(ana)).thenNothing()
    given(claimed).when(claim(other)).thenNothing()
  })
  it('is released once, by the contact that holds it only', () => {
    given(claimed).when(release(ana)).then(released)
    given(claimed, released).when(release(ana)).thenNothing()
    given(claimed).when(release(other)).thenNothing()
  })
  it('may be claimed by another afterwards, from whom a late release takes nothing', () => {
    const theirs: ContactKeyEvent = { type: 'ContactKeyClaimed', data: { contactId: other } }
    given(claimed, released).when(claim(other)).then(theirs)
    given(claimed, released, theirs).when(release(ana)).thenNothing()
  })
  it('moves on with the contact that holds it, once, and back to who had it before', () => {
    const moved: ContactKeyEvent = { type: 'ContactKeyMoved', data: { contactId: other } }
    const back: ContactKeyEvent = { type: 'ContactKeyMoved', data: { contactId: ana } }
    const move = { type: 'MoveContactKey', data: { from: ana, to: other } } as const
    const restore = { type: 'RestoreContactKey', data: { from: other, to: ana } } as const
    given(claimed).when(move).then(moved)
    given(claimed, moved).when(move).thenNothing()
    given(claimed, moved).when(restore).then(back)
    given(claimed, moved, back).when(restore).thenNothing()
    given(claimed, moved, back).when(move).thenNothing()
  })
  it('is never given back to somebody who did not have it', () => {
    const theirs: ContactKeyEvent = { type: 'ContactKeyClaimed', data: { contactId: other } }
    given(theirs)
      .when({ type: 'RestoreContactKey', data: { from: other, to: ana } })
      .thenNothing()
    given(theirs)
      .when({ type: 'MoveContactKey', data: { from: ana, to: other } })
      .thenNothing()
  })
})
