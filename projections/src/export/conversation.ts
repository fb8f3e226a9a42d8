import type { Contact, Message, MessageMedia } from '@prosa/contracts/http/live-chat'
import type { Pool } from 'pg'
import { findMessages } from '../chat-messages/queries.ts'
import { mediaPath } from './media-path.ts'

const messagesAtOnce = 500

const fileOf = ({ id, status, mediaType, bytes, fileName, problem }: MessageMedia) => ({
  arquivo: status === 'ready' ? mediaPath(id, mediaType) : null,
  nomeOriginal: fileName,
  tipo: mediaType,
  bytes,
  ...(problem !== null && { problema: problem }),
})

const deliveries = {
  queued: 'esperando para sair',
  sent: 'enviada',
  delivered: 'entregue',
  read: 'lida',
  failed: 'não enviada',
} as const

const sides = { user: 'empresa', contact: 'contato' } as const

/** Without empty fields. */
const shownMessage = ({ id, content, kind, sender, timestamp, status, failure, ...message }: Message) => ({
  id,
  quando: timestamp,
  de: sides[sender],
  tipo: kind,
  texto: content,
  ...(status !== null && { situacao: deliveries[status] }),
  ...(failure !== null && { falha: failure }),
  ...(message.sentElsewhere && { escritaNoCelular: true }),
  ...(message.isAutomatic && { automatica: message.isFlow ? 'fluxo' : 'resposta fora do horário' }),
  ...(message.media && { midia: fileOf(message.media) }),
  ...(message.quoted && { respondeA: { id: message.quoted.id, texto: message.quoted.content } }),
  ...(message.reactions.length > 0 && {
    reacoes: message.reactions.map(({ emoji, sender: by }) => ({ emoji, de: sides[by] })),
  }),
  ...(message.editedAt !== null && { editadaEm: message.editedAt }),
  ...(message.original !== null && { textoOriginal: message.original }),
})

/** Oldest first. */
export async function* conversationOf(pool: Pool, owner: string, contact: Contact) {
  const chats = { owner, contactId: contact.id, mergedIds: contact.merged.map(({ id }) => id), limit: messagesAtOnce }
  let place: string | undefined = ''
  while (place !== undefined) {
    const found = await findMessages(pool, { ...chats, page: { kind: 'after', place } })
    yield* (found?.messages ?? []).map(shownMessage)
    place = found?.newerAfter
  }
}
