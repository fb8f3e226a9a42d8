import { z } from 'zod'
import { flowId, flowRunId } from '../../flows/flow-document.ts'
import { connectionId, contactId, whatsappMessageId } from '../../values/ids.ts'
import { instant } from '../../values/instant.ts'
import { maximumTextLength } from '../../values/lengths.ts'
import { endpoint } from '../endpoint.ts'
import { messageKind, messageStatus, serviceStatus } from '../live-chat.ts'
import { pageOf, pageQuery, search, searchedBody } from '../page.ts'

/*
 * What subscribers' programs build on: names, fields and values here are only added to. They are apart from the routes of the screens, which
 * change with the screens (docs/decisions/0078-public-api.md).
 */

const phone = z
  .string({ error: 'Informe o telefone com DDD.' })
  .transform((value) => value.replace(/\D/g, ''))
  .pipe(z.string().regex(/^(55)?[1-9]\d\d{8,9}$/, 'Informe o telefone com DDD: 10 ou 11 dígitos, com ou sem 55.'))
  .transform((digits) => (digits.length > 11 ? digits : `55${digits}`))

const publicConnection = z.object({
  id: connectionId,
  name: z.string(),
  phone: z.string().nullable(),
  /** Messages leave now; else they wait. */
  isOpen: z.boolean(),
})

const publicContact = z.object({
  id: contactId,
  name: z.string().nullable(),
  /** Null where WhatsApp does not show it. */
  phone: z.string().nullable(),
  status: serviceStatus,
  /** The number that answers leave over; null: none yet. */
  connectionId: connectionId.nullable(),
  lastActivityAt: instant,
  /** Null if nobody owes an answer. */
  waitingSince: instant.nullable(),
})

const publicMessage = z.object({
  id: whatsappMessageId,
  contactId,
  connectionId: connectionId.nullable(),
  direction: z.enum(['in', 'out']),
  /** `phone`: on the linked phone; `rule`: out of opening hours; `program`: by a key. */
  author: z.enum(['contact', 'attendant', 'flow', 'rule', 'program', 'phone']),
  kind: messageKind,
  /** Text, caption, or a sentence for other kinds. */
  text: z.string(),
  sentAt: instant,
  /** Of messages `out`. */
  status: messageStatus.nullable(),
  failure: z.string().nullable(),
  quotedId: whatsappMessageId.nullable(),
  editedAt: instant.nullable(),
})

const contactsShape = pageQuery.extend({
  status: z.enum(serviceStatus.options, { error: 'Escolha waiting, attending ou resolved.' }).optional(),
})

const publicFlow = z.object({ id: flowId, name: z.string(), version: z.int().positive() })

const addContactBody = z.strictObject({ phone })
const contactAdded = z.object({ id: contactId, phone: z.string(), status: serviceStatus })

const sendMessageBody = z
  .strictObject({
    contactId: z.uuid('Contato não encontrado.').toLowerCase().optional(),
    /** A number without a contact becomes one, if it is on WhatsApp. */
    phone: phone.optional(),
    text: z
      .string({ error: 'Escreva uma mensagem.' })
      .max(maximumTextLength, 'A mensagem pode ter no máximo 4.096 caracteres.')
      .refine((text) => text.trim() !== '', 'Escreva uma mensagem.'),
    /** By default the number of the conversation. */
    connectionId: z.uuid('Conexão não encontrada.').toLowerCase().optional(),
    /** Takes a waiting conversation over, as an attendant's answer does: flows with the contact end. */
    accept: z.boolean({ error: 'Diga true ou false.' }).default(false),
  })
  .refine(({ contactId: known, phone: number }) => (known === undefined) !== (number === undefined), {
    path: ['contactId'],
    error: 'Informe contactId ou phone, um dos dois.',
  })
const messageQueued = z.object({
  id: whatsappMessageId,
  contactId,
  connectionId,
  status: messageStatus,
  /** False: it leaves when the number is back. */
  isLineOpen: z.boolean(),
})

const startFlowBody = z.strictObject({
  contactId: z.uuid('Contato não encontrado.').toLowerCase(),
  /** For a contact without a conversation. */
  connectionId: z.uuid('Conexão não encontrada.').toLowerCase().optional(),
})
const flowStarted = z.object({ id: flowRunId, flowId, version: z.int().positive(), contactId })

export const publicEndpoints = {
  connections: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/v1/connections',
    area: 'API pública',
    key: 'connections:read',
    summary: 'Os números conectados da conta. O id é o token da tela WhatsApp Sessions.',
    example: {},
    replies: { 200: z.object({ items: z.array(publicConnection) }) },
  }),
  contacts: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/v1/contacts',
    area: 'API pública',
    key: 'contacts:read',
    summary:
      'Os contatos, por fila, 50 por página; nextCursor vai em cursor. Para buscar, use POST /api/v1/contacts/search.',
    query: contactsShape.extend({ search: search.optional() }),
    example: { query: { status: 'waiting' } },
    replies: { 200: pageOf(publicContact) },
  }),
  /** `search` of the GET stays for programs that use it; names and phones in addresses stand in access logs. */
  contactsFound: endpoint({
    service: 'projections',
    method: 'POST',
    path: '/api/v1/contacts/search',
    area: 'API pública',
    key: 'contacts:read',
    changesNothing: true,
    summary:
      'Os contatos por nome ou telefone, 50 por página. A busca vai no corpo, que não fica em registros de acesso.',
    body: searchedBody(contactsShape),
    example: { body: { search: '$PHONE' } },
    replies: { 200: pageOf(publicContact) },
  }),
  contact: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/v1/contacts/:id',
    area: 'API pública',
    key: 'contacts:read',
    summary: 'Um contato.',
    example: { params: { id: '$CONTACT_ID' } },
    replies: { 200: publicContact },
  }),
  addContact: endpoint({
    service: 'contacts',
    method: 'POST',
    path: '/api/v1/contacts',
    area: 'API pública',
    key: 'contacts:write',
    summary: 'Adiciona um contato pelo telefone, ou devolve o que já existe.',
    body: addContactBody,
    example: { body: { phone: '$PHONE' } },
    replies: { 201: contactAdded },
  }),
  messages: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/v1/contacts/:id/messages',
    area: 'API pública',
    key: 'conversations:read',
    summary: 'As mensagens de um contato, da última para trás, 100 por página; cada página em ordem de chegada.',
    query: pageQuery,
    example: { params: { id: '$CONTACT_ID' } },
    replies: { 200: pageOf(publicMessage) },
  }),
  send: endpoint({
    service: 'contacts',
    method: 'POST',
    path: '/api/v1/messages',
    area: 'API pública',
    key: 'messages:send',
    summary:
      'Envia um texto a um contato ou a um telefone. Não tira a conversa da fila nem para fluxos, a não ser com accept.',
    body: sendMessageBody,
    example: { body: { contactId: '$CONTACT_ID', text: 'Seu pedido saiu para entrega.' } },
    replies: { 202: messageQueued },
  }),
  flows: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/v1/flows',
    area: 'API pública',
    key: 'flows:start',
    summary: 'Os fluxos que podem ser começados: publicados e ligados.',
    example: {},
    replies: { 200: z.object({ items: z.array(publicFlow) }) },
  }),
  startFlow: endpoint({
    service: 'automation',
    method: 'POST',
    path: '/api/v1/flows/:id/runs',
    area: 'API pública',
    key: 'flows:start',
    summary: 'Começa um fluxo com um contato, qualquer que seja o gatilho do fluxo.',
    body: startFlowBody,
    example: { params: { id: '$FLOW_ID' }, body: { contactId: '$CONTACT_ID' } },
    replies: { 201: flowStarted },
  }),
}

export type PublicContact = z.infer<typeof publicContact>
export type PublicMessage = z.infer<typeof publicMessage>
