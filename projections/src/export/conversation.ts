import type { Contact, Message, MessageMedia } from '@prosa/contracts/http/live-chat'
import type { Pool } from 'pg'
import { findMessages } from '../chat-messages/queries.ts'
import { mediaPath } from './media-path.ts'
import { leftOut, shownBy } from './shown-fields.ts'

const messagesAtOnce = 500

const deliveries = {
  queued: 'esperando para sair',
  sent: 'enviada',
  delivered: 'entregue',
  read: 'lida',
  failed: 'não enviada',
} as const

const sides = { user: 'empresa', contact: 'contato' } as const

const shownFile = shownBy<MessageMedia>({
  id: leftOut('in the name of the file'),
  status: ['arquivo', (status, { id, mediaType }) => (status === 'ready' ? mediaPath(id, mediaType) : null)],
  fileName: 'nomeOriginal',
  mediaType: 'tipo',
  bytes: 'bytes',
  problem: ['problema', (problem) => problem ?? undefined],
  seconds: leftOut('a property of the file'),
  width: leftOut('a property of the file'),
  height: leftOut('a property of the file'),
  voice: leftOut('in the events'),
  waveform: leftOut('a drawing of the file'),
  preview: leftOut('a drawing of the file'),
})

const shownMessage = shownBy<Message>({
  id: 'id',
  timestamp: 'quando',
  sender: ['de', (sender) => sides[sender]],
  kind: 'tipo',
  content: 'texto',
  status: ['situacao', (status) => (status === null ? undefined : deliveries[status])],
  failure: ['falha', (failure) => failure ?? undefined],
  sentElsewhere: ['escritaNoCelular', (elsewhere) => elsewhere || undefined],
  isAutomatic: [
    'automatica',
    (isAutomatic, { isFlow, isProgram }) =>
      isAutomatic && (isFlow ? 'fluxo' : isProgram ? 'programa com chave' : 'resposta fora do horário'),
  ],
  isFlow: leftOut('in automatica'),
  isProgram: leftOut('in automatica'),
  media: ['midia', (media) => (media ? shownFile(media) : undefined)],
  quoted: ['respondeA', (quoted) => (quoted ? { id: quoted.id, texto: quoted.content } : undefined)],
  reactions: [
    'reacoes',
    (reactions) =>
      reactions.length > 0 ? reactions.map(({ emoji, sender }) => ({ emoji, de: sides[sender] })) : undefined,
  ],
  editedAt: ['editadaEm', (editedAt) => editedAt ?? undefined],
  original: ['textoOriginal', (original) => original ?? undefined],
  correction: leftOut('not carried out; in the events'),
  contactId: leftOut('in the name of the file'),
  connectionId: leftOut('in the events'),
})

/** Oldest first. */
export async function* conversationOf(pool: Pool, tenant: string, contact: Contact) {
  const chats = { tenant, contactId: contact.id, mergedIds: contact.merged.map(({ id }) => id), limit: messagesAtOnce }
  let position: string | undefined = ''
  while (position !== undefined) {
    const found = await findMessages(pool, { ...chats, page: { kind: 'after', position } })
    yield* (found?.messages ?? []).map(shownMessage)
    position = found?.newerAfter
  }
}
