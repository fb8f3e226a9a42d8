import { specify } from '@prosa/kernel/domain/specify'
import { describe, it } from 'vitest'
import { type ChatCommand, chat } from './chat.ts'
import type { ChatEvent } from './evolve-chat.ts'

const given = specify(chat)
const attendantId = '7c0c5a0e-5f5e-4a53-9a37-3f4f1c1f0a11'
const connectionId = '0d4d4b5c-3e0a-4ad4-8b8e-5f3a0d7e9a22'
const content = (text: string) => ({ kind: 'text', text }) as const
const at = (second: number) => `2026-11-21T12:00:0${second}.000Z`
const messageId = 'B1'
const line = { messageId, connectionId, toJid: '1637@lid', attendantId }

const queued: ChatEvent = { type: 'MessageQueued', data: { ...line, content: content('às 7h') } }
const sent: ChatEvent = { type: 'MessageSent', data: { messageId } }
const received: ChatEvent = {
  type: 'MessageReceived',
  data: { messageId: 'A1', connectionId, content: content('oi'), sentAt: at(0) },
}
const edit = (editId = 'E1', editedAt = at(1)) => ({
  ...line,
  editId,
  content: content(`${editId} às 8h`),
  editedAt,
  until: at(9),
})
const deletion = (deletionId = 'D1') => ({ ...line, deletionId, deletedAt: at(2), until: null })
const editQueued = (editId?: string, editedAt?: string): ChatEvent => ({
  type: 'EditQueued',
  data: edit(editId, editedAt),
})
const deletionQueued = (id?: string): ChatEvent => ({ type: 'DeletionQueued', data: deletion(id) })
const queueEdit = (editId?: string): ChatCommand => ({ type: 'QueueEdit', data: edit(editId) })
const queueDeletion = (id?: string): ChatCommand => ({ type: 'QueueDeletion', data: deletion(id) })

const edited = (correctionId = 'E1', editedAt = at(1)) => ({
  messageId,
  content: content(`${correctionId} às 8h`),
  editedAt,
  correctionId,
})
const takenEdit = (correctionId?: string, editedAt?: string): ChatCommand => ({
  type: 'EditMessage',
  data: { by: 'user', ...edited(correctionId, editedAt) },
})
const messageEdited = (correctionId?: string): ChatEvent => ({ type: 'MessageEdited', data: edited(correctionId) })
const deleted = { messageId, by: 'user', deletedAt: at(2), correctionId: 'D1' } as const
const refuse = (id: string): ChatCommand => ({ type: 'MarkFailed', data: { messageId: id, code: '463' } })
const failed = (correctionId: string, code = '463'): ChatEvent => ({
  type: 'CorrectionFailed',
  data: { correctionId, messageId, code },
})

describe('a correction of an own message', () => {
  it('is queued once, and comes true once WhatsApp took it', () => {
    given(queued, sent).when(queueEdit()).then(editQueued())
    given(queued, sent, editQueued()).when(queueEdit()).thenNothing()
    given(queued, sent, editQueued()).when(takenEdit()).then(messageEdited())
    given(queued, sent, editQueued(), messageEdited()).when(takenEdit()).thenNothing()
    given(queued, sent, editQueued(), messageEdited()).when(queueEdit()).thenNothing()
    given(queued, sent).when(queueDeletion()).then(deletionQueued())
    given(queued, sent, deletionQueued())
      .when({ type: 'DeleteMessage', data: deleted })
      .then({ type: 'MessageDeleted', data: deleted })
    given(queued, sent, deletionQueued(), { type: 'MessageDeleted', data: deleted })
      .when({ type: 'DeleteMessage', data: deleted })
      .thenNothing()
  })
  it('may be asked for while the message itself still waits', () => {
    given(queued).when(queueEdit()).then(editQueued())
    given(queued).when(queueDeletion()).then(deletionQueued())
  })
  it('takes a message back once, however often it is asked', () => {
    given(queued, sent, deletionQueued()).when(queueDeletion('D2')).thenNothing()
    given(queued, sent, deletionQueued(), { type: 'MessageDeleted', data: deleted })
      .when(queueDeletion('D2'))
      .thenNothing()
    given(queued, sent, deletionQueued(), failed('D1')).when(queueDeletion('D2')).then(deletionQueued('D2'))
    given(queued, sent, deletionQueued(), failed('D1')).when(queueDeletion('D1')).thenNothing()
  })
  it('is refused for what somebody else wrote, what is not there, is taken back, failed or was erased', () => {
    const another = (id: string): ChatCommand => ({ type: 'QueueEdit', data: { ...edit(), messageId: id } })
    given(queued, received).when(another('A1')).thenRejected('message_not_own')
    given(queued).when(another('X')).thenRejected('message_not_found')
    given(queued, deletionQueued()).when(queueEdit()).thenRejected('message_not_found')
    given(queued, { type: 'MessageDeleted', data: deleted }).when(queueEdit()).thenRejected('message_not_found')
    const lost: ChatEvent = { type: 'MessageFailed', data: { messageId, code: '463' } }
    given(queued, lost).when(queueEdit()).thenRejected('message_not_sent')
    given(queued, lost).when(queueDeletion()).thenRejected('message_not_sent')
    given(queued, { type: 'ChatErased', data: {} }).when(queueEdit()).thenRejected('contact_not_found')
  })
  it('fails once when WhatsApp refuses it, and never after it came true', () => {
    given(queued, sent, editQueued()).when(refuse('E1')).then(failed('E1'))
    given(queued, sent, editQueued(), failed('E1')).when(refuse('E1')).thenNothing()
    given(queued, sent, editQueued(), messageEdited()).when(refuse('E1')).thenNothing()
    given(queued, sent, deletionQueued()).when(refuse('D1')).then(failed('D1'))
  })
  it('is one of several, each of which comes true in its turn', () => {
    const two = [queued, sent, editQueued(), editQueued('E2')]
    given(...two)
      .when(takenEdit())
      .then(messageEdited())
    given(...two, messageEdited())
      .when(takenEdit('E2'))
      .then(messageEdited('E2'))
    given(...two, failed('E1'))
      .when(takenEdit('E2'))
      .then(messageEdited('E2'))
  })
  it('does not undo an edit that was made later on the phone, and fails visibly', () => {
    const onPhone: ChatEvent = {
      type: 'MessageEdited',
      data: { messageId, content: content('às 9h'), editedAt: at(5) },
    }
    given(queued, sent, editQueued(), onPhone).when(takenEdit()).then(failed('E1', 'overtaken'))
  })
  it('that nobody asked for here changes nothing', () => given(queued, sent).when(takenEdit('E9')).thenNothing())
})
