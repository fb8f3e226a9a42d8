import { z } from 'zod'
import { connectionId, contactId, labelId } from '../values/ids.ts'
import { endpoint } from './endpoint.ts'
import { contact, contactCounts, longestWaiting, queue, serviceStatus } from './live-chat.ts'
import { pageOf, pageQuery, search, searchedBody } from './page.ts'
import { moment } from './past/moment.ts'

/** `status`: a queue; none: all. `connectionId`: of replies. */
const contactsShape = pageQuery.extend({
  status: z.enum(queue.options, { error: 'Escolha aguardando, com o robô, atendendo ou resolvidos.' }).optional(),
  label: labelId.optional(),
  connectionId: connectionId.optional(),
})

/** `search`: only for pages of releases before decision 0101. */
const contactsQuery = contactsShape.extend({ search: search.optional(), em: moment.optional() })

const countsQuery = z.object({ connectionId: connectionId.optional(), em: moment.optional() })

/** An invalid `except` excludes nobody. */
const longestWaitingQuery = z.object({
  except: contactId.optional().catch(undefined),
  label: labelId.optional(),
  connectionId: connectionId.optional(),
})

const addContactBody = z.object({
  phone: z
    .string({ error: 'Por favor, insira um número de telefone válido (10 ou 11 dígitos)' })
    .transform((value) => value.replace(/\D/g, ''))
    .pipe(z.string().regex(/^55[1-9]\d\d{8,9}$/, 'Por favor, insira um número de telefone válido (10 ou 11 dígitos)')),
})
const contactAdded = z.object({ id: contactId, phone: z.string(), serviceStatus })

const changeStatusBody = z.object({
  status: z.enum(['attending', 'resolved'], { error: 'Escolha aceitar ou finalizar.' }),
})
const contactStatus = z.object({ id: contactId, serviceStatus })

const chooseLineBody = z.object({ connectionId: z.uuid('Conexão não encontrada.').toLowerCase() })
const lineChosen = z.object({ contactId, connectionId })

const separateBody = z.object({ contactId: z.uuid('Contato não encontrado.') })
const contactSeparated = z.object({ id: contactId, contactId })

const contactErased = z.object({ id: contactId })
const contactSeen = z.object({ id: contactId })

export const contactEndpoints = {
  /** Latest activity first; `status=waiting`: who asked for a person, then the longest wait. 50 a page (`prosa-next-cursor`). */
  list: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/whatsapp/contacts',
    area: 'Conversas',
    summary:
      'Contatos por fila: do mais recente; em aguardando, de quem pediu uma pessoa e de quem espera há mais tempo.',
    query: contactsQuery,
    replies: { 200: z.array(contact) },
  }),
  /** `search`: name or phone, without accents. Not a GET: what is searched for is in no URL. */
  found: endpoint({
    service: 'projections',
    method: 'POST',
    path: '/api/whatsapp/contacts/search',
    area: 'Conversas',
    changesNothing: true,
    summary: 'Contatos por nome ou telefone, na ordem da lista, 50 por página.',
    body: searchedBody(contactsShape),
    replies: { 200: pageOf(contact) },
  }),
  /** A known number returns its contact. */
  add: endpoint({
    service: 'contacts',
    method: 'POST',
    path: '/api/whatsapp/contacts',
    area: 'Conversas',
    summary: 'Adiciona um contato pelo telefone.',
    body: addContactBody,
    replies: { 201: contactAdded },
  }),
  get: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/whatsapp/contacts/:id',
    area: 'Conversas',
    summary: 'Um contato.',
    query: z.object({ em: moment.optional() }),
    replies: { 200: contact },
  }),
  erase: endpoint({
    service: 'contacts',
    method: 'DELETE',
    path: '/api/whatsapp/contacts/:id',
    area: 'Conversas',
    summary: 'Apaga para sempre um contato e o que ele disse.',
    replies: { 200: contactErased },
  }),
  counts: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/whatsapp/contact-counts',
    area: 'Conversas',
    summary: 'Quantos contatos há em cada fila.',
    query: countsQuery,
    replies: { 200: contactCounts },
  }),
  longestWaiting: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/whatsapp/longest-waiting',
    area: 'Conversas',
    summary: 'O contato que aguarda há mais tempo.',
    query: longestWaitingQuery,
    replies: { 200: longestWaiting },
  }),
  changeStatus: endpoint({
    service: 'contacts',
    method: 'PATCH',
    path: '/api/whatsapp/contacts/:id/status',
    area: 'Conversas',
    summary: 'Aceita ou finaliza uma conversa.',
    body: changeStatusBody,
    replies: { 200: contactStatus },
  }),
  /** The caller attends it again. */
  reopen: endpoint({
    service: 'contacts',
    method: 'POST',
    path: '/api/whatsapp/contacts/:id/reopen',
    area: 'Conversas',
    summary: 'Retoma uma conversa finalizada.',
    replies: { 200: contactStatus },
  }),
  /** For replies, until the person writes to another one. Never linked: 409 `connection_not_open`. */
  chooseLine: endpoint({
    service: 'contacts',
    method: 'POST',
    path: '/api/whatsapp/contacts/:id/line',
    area: 'Conversas',
    summary: 'Escolhe o número por que as respostas saem.',
    body: chooseLineBody,
    replies: { 200: lineChosen },
  }),
  clearRobotSuspicion: endpoint({
    service: 'contacts',
    method: 'POST',
    path: '/api/whatsapp/contacts/:id/not-a-robot',
    area: 'Conversas',
    summary: 'Diz que um contato não é um robô: os fluxos podem começar de novo.',
    replies: { 200: contactSeen },
  }),
  markSeen: endpoint({
    service: 'contacts',
    method: 'POST',
    path: '/api/whatsapp/contacts/:id/seen',
    area: 'Conversas',
    summary: 'Marca as mensagens de um contato como vistas.',
    replies: { 200: contactSeen },
  }),
  /** Undoes a merge. */
  separate: endpoint({
    service: 'contacts',
    method: 'POST',
    path: '/api/whatsapp/contacts/:id/separate',
    area: 'Conversas',
    summary: 'Desfaz a união de dois contatos.',
    body: separateBody,
    replies: { 200: contactSeparated },
  }),
}

export type LineChosen = z.infer<typeof lineChosen>
export type ContactAdded = z.infer<typeof contactAdded>
