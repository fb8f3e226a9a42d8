import { fold } from '@prosa/kernel/domain/decider'
import { specify } from '@prosa/kernel/domain/specify'
import { describe, expect, it } from 'vitest'
import { contact } from './contact.ts'
import type { ContactEvent } from './contact-state.ts'

const given = specify(contact)
const attendantId = '7c0c5a0e-5f5e-4a53-9a37-3f4f1c1f0a11'
const ana = { phone: '5511988776655', lid: null, name: 'Ana' }
const added: ContactEvent = { type: 'ContactAdded', data: { ...ana, origin: 'message' } }
const accepted: ContactEvent = { type: 'ConversationAccepted', data: { attendantId } }
const resolved: ContactEvent = { type: 'ConversationResolved', data: { attendantId } }
const reopened: ContactEvent = { type: 'ConversationReopened', data: {} }
const accept = { type: 'AcceptConversation', data: { attendantId } } as const
const resolve = { type: 'ResolveConversation', data: { attendantId } } as const
const resumed: ContactEvent = { type: 'ConversationResumed', data: { attendantId } }
const reopen = { type: 'ReopenConversation', data: { attendantId } } as const
const receive = { type: 'ReceiveFromContact', data: ana } as const

describe('a contact', () => {
  it('is added once, however often the first message is reported', () => {
    given().when(receive).then(added)
    given(added).when(receive).thenNothing()
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
    given(added, accepted, resolved).when(receive).then(reopened))
  it('is reopened once for five messages in a row', () =>
    given(added, accepted, resolved, reopened).when(receive).thenNothing())
  it('is attended again by whoever reopens it, once, and can be finished again', () => {
    given(added, accepted, resolved).when(reopen).then(resumed)
    given(added, accepted, resolved, resumed).when(reopen).thenNothing()
    given(added, accepted, resolved, resumed).when(resolve).then(resolved)
    expect(fold(contact, contact.initial, [added, accepted, resolved, resumed])).toEqual(
      fold(contact, contact.initial, [added, accepted]),
    )
  })
  it('is attended by whoever reopens it when it wrote again in that very moment', () =>
    given(added, accepted, resolved, reopened).when(reopen).then(accepted))
  it('stays with its attendant when it writes meanwhile', () => given(added, accepted).when(receive).thenNothing())
  it('does not wait when the own side wrote first, on the phone, and does when it answers', () => {
    const note = { type: 'NoteWriting', data: { phone: ana.phone, lid: null } } as const
    const noted: ContactEvent = { type: 'ContactAdded', data: { ...note.data, name: null, origin: 'phone' } }
    given().when(note).then(noted)
    given(noted).when(note).thenNothing()
    given(noted).when(accept).thenNothing()
    given(noted)
      .when(receive)
      .then({ type: 'ContactNamed', data: { name: 'Ana' } }, reopened)
  })
  it('is not reopened by what the own side writes', () =>
    given(added, accepted, resolved)
      .when({ type: 'NoteWriting', data: { phone: ana.phone, lid: null } })
      .thenNothing())
  const rename = (name: string | null) => ({ type: 'RenameContact', data: { name } }) as const
  const renamed = (name: string | null): ContactEvent => ({ type: 'ContactRenamed', data: { name } })
  it('keeps the name that the business gave, whatever they call themselves, until it is taken back', () => {
    given(added).when(rename('Ana do bolo')).then(renamed('Ana do bolo'))
    given(added, renamed('Ana do bolo')).when(rename('Ana do bolo')).thenNothing()
    given(added, renamed('Ana do bolo')).when(receive).thenNothing()
    given(added, renamed('Ana do bolo')).when(rename(null)).then(renamed(null))
    given(added).when(rename(null)).thenNothing()
    given().when(rename('Ana')).thenRejected('contact_not_found')
    given(added, { type: 'ContactErased', data: {} }).when(rename('Ana')).thenRejected('contact_not_found')
  })
  const noteId = 'a5f6c1de-0d4f-4c4e-9d0c-6f1b0a3c2d1e'
  const note = { type: 'WriteContactNote', data: { noteId, text: 'Alérgica a amendoim', attendantId } } as const
  const removeNote = { type: 'RemoveContactNote', data: { noteId } } as const
  const noted: ContactEvent = { type: 'ContactNoteWritten', data: note.data }
  const noteRemoved: ContactEvent = { type: 'ContactNoteRemoved', data: { noteId } }
  it('keeps a note once, however often it is sent, and removes it once', () => {
    given(added).when(note).then(noted)
    given(added, noted).when(note).thenNothing()
    given(added, noted).when(removeNote).then(noteRemoved)
    given(added, noted, noteRemoved).when(removeNote).thenNothing()
    given(added, noted, noteRemoved).when(note).thenNothing()
    given(added).when(removeNote).thenRejected('contact_note_not_found')
    given().when(note).thenRejected('contact_not_found')
  })
  it('is as large after thousands of removed notes as after hundreds, and still knows the last', () => {
    const about = (each: number) => ({ ...note.data, noteId: `note ${each}` })
    let state = fold(contact, contact.initial, [added, noted])
    for (let each = 0; each < 3000; each++)
      state = fold(contact, state, [
        { type: 'ContactNoteWritten', data: about(each) },
        { type: 'ContactNoteRemoved', data: about(each) },
      ])
    expect(Object.keys(state.notes).length).toBeLessThanOrEqual(201)
    expect(state.notes[noteId]).toBe(true)
    expect(state.notes['note 2999']).toBe(false)
  })
  it('takes 200 notes at most, and another one once one was removed', () => {
    const many = Array.from(
      { length: 200 },
      (_, index): ContactEvent => ({
        type: 'ContactNoteWritten',
        data: { ...note.data, noteId: `b5f6c1de-0d4f-4c4e-9d0c-${String(index).padStart(12, '0')}` },
      }),
    )
    given(added, ...many)
      .when(note)
      .thenRejected('too_many_notes')
    const [first] = many
    if (first?.type !== 'ContactNoteWritten') throw new Error('there are notes')
    given(added, ...many, { type: 'ContactNoteRemoved', data: { noteId: first.data.noteId } })
      .when(note)
      .then(noted)
  })
  it('that nobody knows cannot be accepted or resolved', () => {
    given().when(accept).thenRejected('contact_not_found')
    given().when(resolve).thenRejected('contact_not_found')
    given().when(reopen).thenRejected('contact_not_found')
  })
  it('learns its second address once', () => {
    const received = { type: 'ReceiveFromContact', data: { phone: null, lid: '1637', name: 'Ana' } } as const
    const identified: ContactEvent = { type: 'ContactIdentified', data: { phone: ana.phone, lid: '1637' } }
    given(added).when(received).then(identified)
    given(added, identified).when(received).thenNothing()
  })
  it('takes over the name that the person uses on WhatsApp, once', () => {
    const renamed = { type: 'ReceiveFromContact', data: { ...ana, name: 'Ana Souza' } } as const
    given(added)
      .when(renamed)
      .then({ type: 'ContactNamed', data: { name: 'Ana Souza' } })
    given(added, { type: 'ContactNamed', data: { name: 'Ana Souza' } })
      .when(renamed)
      .thenNothing()
  })
})

describe('a contact that may be a robot', () => {
  const cause = { reason: 'messages', count: 30, withinSeconds: 600 } as const
  const suspect = { type: 'SuspectRobot', data: cause } as const
  const suspected: ContactEvent = { type: 'RobotSuspected', data: cause }
  const clear = { type: 'ClearRobotSuspicion', data: { attendantId } } as const
  const cleared: ContactEvent = { type: 'RobotSuspicionCleared', data: { attendantId } }
  const wait = { type: 'WaitForPerson', data: {} } as const

  it('is marked once, and waits where nobody attended it', () => {
    given(added).when(suspect).then(suspected)
    given(added, suspected).when(suspect).thenNothing()
    given(added, accepted).when(suspect).then(suspected)
    given(added, accepted, resolved).when(suspect).then(suspected, reopened)
  })
  it('loses the mark once, by an attendant or with the conversation', () => {
    given(added, suspected).when(clear).then(cleared)
    given(added, suspected, cleared).when(clear).thenNothing()
    given(added, suspected, accepted).when(clear).then(cleared)
    given(added, suspected, accepted, resolved).when(clear).thenNothing()
    given(added, suspected, accepted, resolved).when(suspect).then(suspected, reopened)
    given(added).when(clear).thenNothing()
  })
  it('is nobody before it is added, while another goes on for it, and once it is erased', () => {
    const absorbed: ContactEvent = { type: 'ContactAbsorbed', data: { into: attendantId } }
    for (const command of [suspect, clear, wait]) {
      given().when(command).thenRejected('contact_not_found')
      given(added, absorbed).when(command).thenRejected('contact_not_found')
      given(added, { type: 'ContactErased', data: {} }).when(command).thenRejected('contact_not_found')
    }
  })
  it('waits for a person without a mark where only its conversation was finished', () => {
    given(added, accepted, resolved).when(wait).then(reopened)
    given(added, accepted).when(wait).thenNothing()
    given(added).when(wait).thenNothing()
  })
})

describe('a contact that turns out to be the same person as another', () => {
  const older = '0d4d4b5c-3e0a-4ad4-8b8e-5f3a0d7e9a22'
  const oldest = '9e4f2a61-7d1b-4c35-8f60-2a1b3c4d5e6f'
  const join = { type: 'JoinContact', data: { into: older, from: null } } as const
  const absorbed: ContactEvent = { type: 'ContactAbsorbed', data: { into: older } }
  const restored: ContactEvent = { type: 'ContactRestored', data: { from: older } }

  it('is absorbed once, and from then on takes nothing', () => {
    given(added).when(join).then(absorbed)
    given(added, absorbed).when(join).thenNothing()
    for (const command of [receive, accept, resolve, reopen, { type: 'NoteWriting', data: ana }] as const)
      given(added, absorbed).when(command).thenRejected('contact_not_found')
  })
  it('must be there', () => {
    given().when(join).thenRejected('contact_not_found')
    given(added, { type: 'ContactErased', data: {} }).when(join).thenRejected('contact_not_found')
  })
  it('follows when the other one is absorbed in its turn, and only from there', () => {
    const follow = (from: string | null) => ({ type: 'JoinContact', data: { into: oldest, from } }) as const
    given(added, absorbed)
      .when(follow(older))
      .then({ type: 'ContactAbsorbed', data: { into: oldest } })
    given(added, absorbed).when(follow(null)).thenRejected('contact_not_found')
    given(added, absorbed).when(follow(attendantId)).thenRejected('contact_not_found')
  })
  it('stands as it stood when it is restored, once, and never joins the same one again', () => {
    const restore = { type: 'RestoreContact', data: { from: older } } as const
    given(added, accepted, absorbed).when(restore).then(restored)
    expect(fold(contact, contact.initial, [added, accepted, absorbed, restored])).toMatchObject({ status: 'attending' })
    given(added, absorbed, restored).when(restore).thenNothing()
    given(added, absorbed, restored).when(join).thenRejected('contact_not_found')
  })
  it('can be erased', () =>
    given(added, absorbed).when({ type: 'EraseContact', data: {} }).then({ type: 'ContactErased', data: {} }))
})

describe('a contact that goes on for another', () => {
  const other = '0d4d4b5c-3e0a-4ad4-8b8e-5f3a0d7e9a22'
  const bare: ContactEvent = { type: 'ContactAdded', data: { ...ana, name: null, origin: 'message' } }
  const merged: ContactEvent = { type: 'ContactMerged', data: { absorbed: other } }
  const separated: ContactEvent = { type: 'ContactSeparated', data: { restored: other } }
  const identified = (phone: string | null, lid: string | null): ContactEvent => ({
    type: 'ContactIdentified',
    data: { phone, lid },
  })
  const merge = (status: 'waiting' | 'attending' | 'resolved', name: string | null = null) =>
    ({
      type: 'MergeContact',
      data: { absorbed: other, phone: '551100000000', lid: '1637', name, status, attendantId },
    }) as const

  it('gets the address and the name that it lacks, and keeps what it has', () => {
    given(bare)
      .when(merge('resolved', 'Ana Souza'))
      .then(merged, identified(ana.phone, '1637'), { type: 'ContactNamed', data: { name: 'Ana Souza' } })
    given(added).when(merge('resolved', 'Ana Souza')).then(merged, identified(ana.phone, '1637'))
  })
  it('merges once, and not with whom it was separated from', () => {
    given(added, merged).when(merge('waiting')).thenNothing()
    given(added, merged, separated).when(merge('waiting')).thenNothing()
  })
  it.each([
    ['resolved', 'waiting', [reopened]],
    ['resolved', 'attending', [reopened, accepted]],
    ['resolved', 'resolved', []],
    ['waiting', 'attending', [accepted]],
    ['waiting', 'resolved', []],
    ['attending', 'waiting', []],
  ] as const)('that is %s stands as far as the other, who is %s', (own, turn, expected) => {
    const before = { waiting: [], attending: [accepted], resolved: [accepted, resolved] }[own]
    given(added, ...before)
      .when(merge(turn))
      .then(merged, identified(ana.phone, '1637'), ...expected)
  })
  it('is separated once, without the other’s address', () => {
    const known = [added, merged, identified(ana.phone, '1637')]
    const separate = { type: 'SeparateContact', data: { restored: other, phone: ana.phone, lid: null } } as const
    given(...known)
      .when(separate)
      .then(separated, identified(ana.phone, null))
    given(...known, separated)
      .when(separate)
      .thenNothing()
    given(added).when(separate).thenRejected('contacts_not_merged')
  })
  it('does not take for its own what was looked up before it was separated', () => {
    const received = (separations: number) => ({ ...receive, data: { ...ana, separations } }) as const
    given(added).when(received(0)).thenNothing()
    given(added, merged, separated).when(received(0)).thenRejected('contact_not_found')
    given(added, merged, separated).when(received(1)).thenNothing()
  })
})

describe('the labels of a contact', () => {
  const [vip, late] = ['1d1f2f4e-6a5b-4c8e-9a55-0f6d0a4be001', '1d1f2f4e-6a5b-4c8e-9a55-0f6d0a4be002']
  const label = (labelId: string, existing = [vip, late]) =>
    ({ type: 'LabelContact', data: { labelId, existing } }) as const
  const labelled = (labelId: string): ContactEvent => ({ type: 'ContactLabelled', data: { labelId } })
  const take = { type: 'UnlabelContact', data: { labelId: vip } } as const
  const taken: ContactEvent = { type: 'ContactUnlabelled', data: { labelId: vip } }

  it('are put on once and taken off once, and once more', () => {
    given(added).when(label(vip)).then(labelled(vip))
    given(added, labelled(vip)).when(label(vip)).thenNothing()
    given(added, labelled(vip)).when(take).then(taken)
    given(added).when(take).thenNothing()
    given(added, labelled(vip), taken).when(label(vip)).then(labelled(vip))
  })
  it('are twenty at most; those that were deleted make room', () => {
    const ids = Array.from({ length: 20 }, (_, index) => `label ${index}`)
    const full = [added, ...ids.map(labelled)]
    given(...full)
      .when(label(vip, [...ids, vip]))
      .thenRejected('too_many_labels_on_contact')
    given(...full)
      .when(label(vip, [...ids.slice(1), vip]))
      .then(labelled(vip))
    given(...full)
      .when(label('label 3', ids))
      .thenNothing()
  })
  it('are those of both once two contacts are one person, each once', () => {
    const data = {
      absorbed: attendantId,
      phone: null,
      lid: null,
      name: null,
      status: 'resolved',
      attendantId: null,
    } as const
    given(added, labelled(vip))
      .when({ type: 'MergeContact', data: { ...data, labels: [vip, late] } })
      .then({ type: 'ContactMerged', data: { absorbed: attendantId } }, labelled(late))
  })
  it('are put on nobody who is not there', () => {
    const erased: ContactEvent = { type: 'ContactErased', data: {} }
    const absorbed: ContactEvent = { type: 'ContactAbsorbed', data: { into: attendantId } }
    for (const before of [[], [added, erased], [added, absorbed]]) {
      given(...before)
        .when(label(vip))
        .thenRejected('contact_not_found')
      given(...before)
        .when(take)
        .thenRejected('contact_not_found')
    }
  })
})

describe('the own fields of a contact', () => {
  const [city, birth] = ['1d1f2f4e-6a5b-4c8e-9a55-0f6d0a4be003', '1d1f2f4e-6a5b-4c8e-9a55-0f6d0a4be004']
  const put = (fieldId: string, value: string | null) =>
    ({ type: 'SetContactField', data: { fieldId, type: 'text', value } }) as const
  const set = (fieldId: string, value: string | null): ContactEvent => ({
    type: 'ContactFieldSet',
    data: { fieldId, type: 'text', value },
  })
  const erased: ContactEvent = { type: 'ContactErased', data: {} }

  it('are set, changed and emptied, each once', () => {
    given(added).when(put(city, 'Natal')).then(set(city, 'Natal'))
    given(added, set(city, 'Natal')).when(put(city, 'Natal')).thenNothing()
    given(added, set(city, 'Natal')).when(put(city, 'Recife')).then(set(city, 'Recife'))
    given(added, set(city, 'Natal')).when(put(city, null)).then(set(city, null))
    given(added, set(city, 'Natal'), set(city, null)).when(put(city, null)).thenNothing()
    given(added, erased).when(put(city, 'Natal')).thenRejected('contact_not_found')
  })
  it('stay those of the survivor where two contacts are one person, who gets what it lacks', () => {
    const [data, fields] = [
      { absorbed: attendantId, phone: null, lid: null, name: null, status: 'resolved', attendantId: null } as const,
      { [city]: { type: 'text', value: 'Recife' }, [birth]: { type: 'text', value: 'maio' } } as const,
    ]
    given(added, set(city, 'Natal'))
      .when({ type: 'MergeContact', data: { ...data, fields } })
      .then({ type: 'ContactMerged', data: { absorbed: attendantId } }, set(birth, 'maio'))
  })
})

describe('a number as somebody typed it', () => {
  const typed = (phone: string) => ({ type: 'AddContact', data: { phone, lid: null, isTyped: true } }) as const
  it('does not replace what WhatsApp reported', () => {
    given(added).when(typed('551188776655')).thenNothing()
    given({ type: 'ContactAdded', data: { phone: null, lid: '1637', name: null, origin: 'message' } })
      .when(typed('5511988776655'))
      .then({ type: 'ContactIdentified', data: { phone: '5511988776655', lid: '1637' } })
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
      receive,
      accept,
      resolve,
      { type: 'AddContact', data: ana },
      { type: 'NoteWriting', data: ana },
    ] as const
    for (const command of commands) given(added, erased).when(command).thenRejected('contact_not_found')
  })
  it('is remembered without anything personal', () => {
    const renamed: ContactEvent = { type: 'ContactNamed', data: { name: 'Ana Souza' } }
    expect(fold(contact, contact.initial, [added, renamed, accepted, erased])).toEqual({
      ...contact.initial,
      status: 'erased',
    })
  })
})
