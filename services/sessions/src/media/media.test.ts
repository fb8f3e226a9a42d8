import { specify } from '@prosa/kernel/domain/specify'
import { describe, it } from 'vitest'
import { type MediaCommand, type MediaEvent, media } from './media.ts'

const given = specify(media)
const ana = '3f1f2c58-6f7e-4ab6-9d4d-1f6f3f8d0a01'
const rui = '3f1f2c58-6f7e-4ab6-9d4d-1f6f3f8d0a02'
const file = { contactId: null, mediaType: 'image/png', bytes: 3, sha256: 'ab' }
const none: Record<string, never> = {}

const uploaded: MediaEvent = { type: 'MediaStored', data: file }
const ofAna: MediaEvent = { type: 'MediaStored', data: { ...file, contactId: ana } }
const gone: MediaEvent = { type: 'MediaUnavailable', data: { contactId: ana, reason: 'expired' } }
const askedAgain: MediaEvent = { type: 'MediaAskedAgain', data: { contactId: ana } }
const erased: MediaEvent = { type: 'MediaErased', data: none }

const store: MediaCommand = { type: 'StoreMedia', data: file }
const storeForAna: MediaCommand = { type: 'StoreMedia', data: { ...file, contactId: ana } }
const give = (contactId: string): MediaCommand => ({ type: 'GiveMedia', data: { contactId } })
const giveUp: MediaCommand = { type: 'GiveUpMedia', data: { contactId: ana, reason: 'expired' } }
const askAgain: MediaCommand = { type: 'AskMediaAgain', data: none }
const erase: MediaCommand = { type: 'EraseMedia', data: none }
const eraseUnsent: MediaCommand = { type: 'EraseUnsentMedia', data: none }

describe('a file that was uploaded', () => {
  it('is stored once', () => given().when(store).then(uploaded))
  it('is not stored twice', () => given(uploaded).when(store).thenNothing())
  it('becomes that of the contact whom it is sent to', () => given(uploaded).when(give(ana)).then(ofAna))
  it('may be sent to the same contact again', () => given(uploaded, ofAna).when(give(ana)).thenNothing())
  it('belongs to no second contact', () => given(uploaded, ofAna).when(give(rui)).thenRejected('media_already_sent'))
  it('can be sent only where it is there', () => given().when(give(ana)).thenRejected('media_not_found'))
  it('is erased when nobody was sent it', () => given(uploaded).when(eraseUnsent).then(erased))
  it('stays when somebody was', () => given(uploaded, ofAna).when(eraseUnsent).thenNothing())
  it('need not be erased where it never came to be', () => given().when(eraseUnsent).thenNothing())
})

describe('a file that arrives', () => {
  it('is stored as that of its contact', () => given().when(storeForAna).then(ofAna))
  it('may be out of reach', () => given().when(giveUp).then(gone))
  it('is out of reach once', () => given(gone).when(giveUp).thenNothing())
  it('is not given up once it is here', () => given(ofAna).when(giveUp).thenNothing())
  it('is asked for again', () => given(gone).when(askAgain).then(askedAgain))
  it('is asked for again once', () => given(gone, askedAgain).when(askAgain).thenNothing())
  it('is not asked for when it is here', () => given(ofAna).when(askAgain).thenNothing())
  it('cannot be asked for before it is known', () => given().when(askAgain).thenRejected('media_not_found'))
  it('may come at the second try', () => given(gone, askedAgain).when(storeForAna).then(ofAna))
  it('may fail at the second try', () => given(gone, askedAgain).when(giveUp).then(gone))
})

describe('a file that was erased', () => {
  it('may have been on its way', () => given().when(erase).then(erased))
  it('is erased once', () => given(ofAna, erased).when(erase).thenNothing())
  for (const command of [storeForAna, giveUp, askAgain, give(ana)])
    it(`never comes back (${command.type})`, () => given(erased).when(command).thenRejected('media_not_found'))
})
