import { lineInWords } from '@prosa/contracts/conversation-lines'
import type { Contact, Message, MessageMedia } from '@prosa/contracts/http/live-chat'
import type { Pool } from 'pg'
import { findMessages } from '../chat-messages/queries.ts'
import { findLines } from '../conversation-lines/queries.ts'
import { mediaPath } from './media-path.ts'
import { leftOut, shownBy } from './shown-fields.ts'

const messagesAtOnce = 500
/** Sorts after every position. */
const endOfLog = '\x7f'

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
  linesBefore: leftOut('between the messages'),
  linesAfter: leftOut('between the messages'),
  contactId: leftOut('in the name of the file'),
  connectionId: leftOut('in the events'),
})

const linesAtOnce = 500

/** What happened between messages, in log order. */
async function* linesBetween(pool: Pool, chats: { tenant: string; contactIds: readonly string[] }) {
  let after: string | undefined = ''
  while (after !== undefined) {
    const lines = await findLines(pool, {
      ...chats,
      after,
      before: endOfLog,
      asOf: endOfLog,
      limit: linesAtOnce,
      from: 'oldest',
    })
    for (const line of lines)
      yield { position: line.position, shown: { quando: line.at, tipo: 'aviso', texto: lineInWords(line) } }
    after = lines.length < linesAtOnce ? undefined : lines.at(-1)?.position
  }
}

async function* messagesOf(pool: Pool, tenant: string, contact: Contact) {
  const chats = { tenant, contactId: contact.id, mergedIds: contact.merged.map(({ id }) => id), limit: messagesAtOnce }
  let position: string | undefined = ''
  while (position !== undefined) {
    const found = await findMessages(pool, { ...chats, page: { kind: 'after', position } })
    for (const [index, message] of (found?.messages ?? []).entries())
      yield { position: found?.positions[index] ?? '', shown: shownMessage(message) }
    position = found?.newerAfter
  }
}

/** Messages and what happened between them, oldest first. */
export async function* conversationOf(pool: Pool, tenant: string, contact: Contact) {
  const contactIds = [contact.id, ...contact.merged.map(({ id }) => id)]
  const lines = linesBetween(pool, { tenant, contactIds })
  let line = await lines.next()
  for await (const { position, shown } of messagesOf(pool, tenant, contact)) {
    for (; !line.done && line.value.position < position; line = await lines.next()) yield line.value.shown
    yield shown
  }
  for (; !line.done; line = await lines.next()) yield line.value.shown
}
