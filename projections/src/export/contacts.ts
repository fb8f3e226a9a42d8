import type { ContactNote } from '@prosa/contracts/http/contact-details'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { parseStream } from '@prosa/contracts/streams'
import { shownAnswer } from '@prosa/contracts/values/answers/read-answer'
import type { Pool } from 'pg'
import { findContactFields, findContactFieldValues, findContactNotes } from '../contact-details/queries.ts'
import { findContact } from '../contact-list/queries.ts'
import { findLabels } from '../labels/queries.ts'
import { streamsOfTenant } from './queries.ts'
import { leftOut, shownBy } from './shown-fields.ts'

const states = { waiting: 'aguardando', attending: 'em atendimento', resolved: 'finalizada' } as const

export const conversationPath = (contactId: string): string => `conversas/${contactId}.json`

const shownNote = shownBy<ContactNote>({
  id: leftOut('an internal id'),
  text: 'texto',
  writtenAt: 'escritaEm',
  author: 'autor',
})

const numberMoves = {
  taken_over: 'tem um número que era de outro contato',
  passed_on: 'o número passou para outro contato',
}

const shownFields = shownBy<Contact>({
  id: 'id',
  name: 'nome',
  whatsappName: 'nomeNoWhatsApp',
  phone: 'telefone',
  serviceStatus: ['situacao', (status) => states[status]],
  lastActivity: 'ultimaAtividade',
  waitingSince: ['aguardaDesde', (since) => since ?? undefined],
  botSince: ['comORoboDesde', (since) => since ?? undefined],
  personAskedAt: ['pediuUmaPessoaEm', (at) => at ?? undefined],
  botPause: [
    'roboPausado',
    (pause) => (pause ? { desde: pause.since, ate: pause.until ?? 'alguém retomar' } : undefined),
  ],
  suspectedRobot: ['possivelRoboDesde', (suspected) => suspected?.at],
  numberMoved: [
    'mudancaDeNumero',
    (moved) =>
      moved ? { oQueHouve: numberMoves[moved.how], outroContato: moved.contactId, quando: moved.at } : undefined,
  ],
  merged: ['contatosUnidos', (merged) => merged.map(({ id, name, phone }) => ({ id, nome: name, telefone: phone }))],
  labels: leftOut('by name in etiquetas'),
  unreadCount: leftOut('follows from the conversation and what was seen, in the events'),
  firstUnreadId: leftOut('follows from the conversation and what was seen, in the events'),
  lastMessage: leftOut('in the conversation'),
  connectionId: leftOut('of each message, in the events'),
})

const labelNames = async (pool: Pool, tenant: string, ids: readonly string[]): Promise<string[]> => {
  if (ids.length === 0) return []
  return (await findLabels(pool, tenant)).filter(({ id }) => ids.includes(id)).map(({ name }) => name)
}

/** By name, as people write the values. */
const fieldsOf = async (pool: Pool, tenant: string, contactId: string): Promise<Record<string, string>> => {
  const values = await findContactFieldValues(pool, tenant, contactId)
  if (values.length === 0) return {}
  const fields = new Map((await findContactFields(pool, tenant)).map((field) => [field.id, field]))
  return Object.fromEntries(
    values.map(({ fieldId, value }) => {
      const field = fields.get(fieldId)
      return [field?.name ?? fieldId, shownAnswer(field?.type, value)]
    }),
  )
}

export const shownContact = async (pool: Pool, tenant: string, contact: Contact) => ({
  ...shownFields(contact),
  etiquetas: await labelNames(pool, tenant, contact.labels),
  campos: await fieldsOf(pool, tenant, contact.id),
  notas: (await findContactNotes(pool, tenant, [contact.id, ...contact.merged.map(({ id }) => id)])).map(shownNote),
  conversa: conversationPath(contact.id),
})

/** Merged ones nested. By id: sorting by activity would miss contacts who write meanwhile. */
export async function* contactsOf(pool: Pool, tenant: string): AsyncGenerator<Contact> {
  for await (const stream of streamsOfTenant(pool, tenant)) {
    const { category, id } = parseStream(stream)
    const found = category === 'contact' ? await findContact(pool, tenant, id) : undefined
    if (found?.id === id) yield found
  }
}
