import { fold } from '@prosa/kernel/decider'
import { specify } from '@prosa/kernel/testing/specify'
import { describe, expect, it } from 'vitest'
import { type ContactEvent, contact } from './contact.ts'

const given = specify(contact)
const attendantId = '7c0c5a0e-5f5e-4a53-9a37-3f4f1c1f0a11'
const ana = { phone: '5511988776655', lid: null, name: 'Ana' }
const added: ContactEvent = { type: 'ContactAdded', data: { ...ana, origin: 'message' } }
const accepted: ContactEvent = { type: 'ConversationAccepted', data: { attendantId } }
const resolved: ContactEvent = { type: 'ConversationResolved', data: { attendantId } }
const reopened: ContactEvent = { type: 'ConversationReopened', data: {} }
const accept = { type: 'AcceptConversation', data: { attendantId } } as const
const resolve = { type: 'ResolveConversation', data: { attendantId } } as const
const hear = { type: 'HearFromContact', data: ana } as const

describe('a contact', () => {
  it('is added once, however often the first message is told', () => {
    given().when(hear).then(added)
    given(added).when(hear).thenNothing()
  })
  it('is added once by an attendant, and found when it is known', () => {
    const add = { type: 'AddContact', data: { phone: ana.phone, lid: null } } as const
    const byHand: ContactEvent = { type: 'ContactAdded', data: { ...add.data, name: null, origin: 'attendant' } }
    given().when(add).then(byHand)
    given(byHand).when(add).thenNothing()
    given(added).when(add).thenNothing()
  })
  it('goes to the attendant who accepts it', () => given(added).when(accept).then(accepted))
  it('is accepted once, however often the button is pressed', () => given(added, accepted).when(accept).thenNothing())
  it('is resolved by finishing', () => given(added, accepted).when(resolve).then(resolved))
  it('is resolved once', () => given(added, accepted, resolved).when(resolve).thenNothing())
  it('cannot be resolved while nobody attends it', () =>
    given(added).when(resolve).thenRejected('conversation_not_attending'))
  it('waits again when it writes after having been resolved', () =>
    given(added, accepted, resolved).when(hear).then(reopened))
  it('is reopened once for five messages in a row', () =>
    given(added, accepted, resolved, reopened).when(hear).thenNothing())
  it('stays with its attendant when it writes meanwhile', () => given(added, accepted).when(hear).thenNothing())
  it('does not wait when the own side wrote first, on the phone, and does when it answers', () => {
    const note = { type: 'NoteWriting', data: { phone: ana.phone, lid: null } } as const
    const noted: ContactEvent = { type: 'ContactAdded', data: { ...note.data, name: null, origin: 'phone' } }
    given().when(note).then(noted)
    given(noted).when(note).thenNothing()
    given(noted).when(accept).thenNothing()
    given(noted)
      .when(hear)
      .then({ type: 'ContactNamed', data: { name: 'Ana' } }, reopened)
  })
  it('is not reopened by what the own side writes', () =>
    given(added, accepted, resolved)
      .when({ type: 'NoteWriting', data: { phone: ana.phone, lid: null } })
      .thenNothing())
  it('that nobody knows cannot be accepted or resolved', () => {
    given().when(accept).thenRejected('contact_not_found')
    given().when(resolve).thenRejected('contact_not_found')
  })
  it('learns its second address once', () => {
    const heard = { type: 'HearFromContact', data: { phone: null, lid: '1637', name: 'Ana' } } as const
    const identified: ContactEvent = { type: 'ContactIdentified', data: { phone: ana.phone, lid: '1637' } }
    given(added).when(heard).then(identified)
    given(added, identified).when(heard).thenNothing()
  })
  it('takes over the name that the person uses on WhatsApp, once', () => {
    const renamed = { type: 'HearFromContact', data: { ...ana, name: 'Ana Souza' } } as const
    given(added)
      .when(renamed)
      .then({ type: 'ContactNamed', data: { name: 'Ana Souza' } })
    given(added, { type: 'ContactNamed', data: { name: 'Ana Souza' } })
      .when(renamed)
      .thenNothing()
  })
})

describe('an erased contact', () => {
  const erase = { type: 'EraseContact', data: {} } as const
  const erased: ContactEvent = { type: 'ContactErased', data: {} }

  it('is erased once, from whatever state it is in', () => {
    given(added).when(erase).then(erased)
    given(added, accepted, resolved).when(erase).then(erased)
    given(added, erased).when(erase).thenNothing()
  })
  it('must have been there', () => given().when(erase).thenRejected('contact_not_found'))
  it('is nobody any more: what comes from the same person is another contact’s', () => {
    const commands = [
      hear,
      accept,
      resolve,
      { type: 'AddContact', data: ana },
      { type: 'NoteWriting', data: ana },
    ] as const
    for (const command of commands) given(added, erased).when(command).thenRejected('contact_not_found')
  })
  it('is remembered without anything personal', () => {
    expect(fold(contact, contact.initial, [added, erased])).toEqual({
      status: 'erased',
      phone: null,
      lid: null,
      name: null,
    })
  })
})
