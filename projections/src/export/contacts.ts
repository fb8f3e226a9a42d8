import type { ContactNote } from '@prosa/contracts/http/contact-details'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { parseStream } from '@prosa/contracts/streams'
import type { Pool } from 'pg'
import { findContact } from '../contact-list/queries.ts'
import { findContactNotes } from '../contact-notes/queries.ts'
import { streamsOfTenant } from './queries.ts'

const states = { waiting: 'aguardando', attending: 'em atendimento', resolved: 'finalizada' } as const

export const conversationPath = (contactId: string): string => `conversas/${contactId}.json`

const shownNote = ({ text, writtenAt, author }: ContactNote) => ({ texto: text, escritaEm: writtenAt, autor: author })

const numberMoves = {
  taken_over: 'tem um número que era de outro contato',
  passed_on: 'o número passou para outro contato',
}

export const shownContact = async (pool: Pool, owner: string, contact: Contact) => ({
  id: contact.id,
  nome: contact.name,
  nomeNoWhatsApp: contact.whatsappName,
  telefone: contact.phone,
  situacao: states[contact.serviceStatus],
  ultimaAtividade: contact.lastActivity,
  ...(contact.waitingSince !== null && { aguardaDesde: contact.waitingSince }),
  ...(contact.suspectedRobot && { possivelRoboDesde: contact.suspectedRobot.at }),
  ...(contact.numberMoved && {
    mudancaDeNumero: {
      oQueHouve: numberMoves[contact.numberMoved.how],
      outroContato: contact.numberMoved.contactId,
      quando: contact.numberMoved.at,
    },
  }),
  contatosUnidos: contact.merged.map(({ id, name, phone }) => ({ id, nome: name, telefone: phone })),
  notas: (await findContactNotes(pool, owner, [contact.id, ...contact.merged.map(({ id }) => id)])).map(shownNote),
  conversa: conversationPath(contact.id),
})

/** Merged ones nested. By id: sorting by activity would miss contacts who write meanwhile. */
export async function* contactsOf(pool: Pool, owner: string): AsyncGenerator<Contact> {
  for await (const stream of streamsOfTenant(pool, owner)) {
    const { category, id } = parseStream(stream)
    const found = category === 'contact' ? await findContact(pool, owner, id) : undefined
    if (found?.id === id) yield found
  }
}
