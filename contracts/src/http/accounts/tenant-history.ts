import { z } from 'zod'
import { id } from '../../values/ids.ts'
import { endpoint } from '../endpoint.ts'
import { historyActors, historyThread } from '../history.ts'
import { pageOf, pageQuery } from '../page.ts'

/** What a tenant may ask the history of by itself. */
export const tenantHistoryKinds = [
  'contact',
  'run',
  'flow',
  'label',
  'quickReply',
  'hours',
  'connection',
  'company',
  'plan',
  'account',
  'integration',
  'reading',
] as const

/** `contact:<id>`; a `part` of a stream that holds many, as `label:<id>`, too. */
export const tenantRecordKinds = [
  'contact',
  'run',
  'flow',
  'folder',
  'label',
  'quickReply',
  'connection',
  'order',
] as const

const unknownRecord = 'Escolha um registro da lista.'
const date = z.iso.date({ error: 'Informe a data como AAAA-MM-DD.' })

export const tenantHistoryQuery = pageQuery
  .extend({
    record: z
      .string({ error: unknownRecord })
      .regex(/^(contact|run|flow|folder|label|quickReply|connection|order):[\x21-\x7e]{1,200}$/, unknownRecord)
      .optional(),
    kind: z.enum(tenantHistoryKinds, { error: 'Escolha um assunto da lista.' }).optional(),
    actor: z.enum(historyActors, { error: 'Escolha um autor da lista.' }).optional(),
    /** Days in São Paulo, inclusive. */
    from: date.optional(),
    to: date.optional(),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ['to'],
    error: 'O último dia vem antes do primeiro.',
  })

export const conversationQuery = pageQuery.extend({
  /** `true`: with what was written. */
  texts: z.enum(['true'], { error: 'Escolha com ou sem textos.' }).optional(),
})

export const tenantHistoryEndpoints = {
  /** Newest first; only what is the tenant's own. */
  threads: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/history',
    area: 'Conta',
    summary: 'O que aconteceu na própria conta, por quem e por causa de quê.',
    query: tenantHistoryQuery,
    replies: { 200: pageOf(historyThread) },
  }),
  /** Newest first; a thread is a message with its ticks, or what happened to the conversation. */
  conversation: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/whatsapp/contacts/:id/history',
    area: 'Conversas',
    summary: 'A vida de uma conversa: quem escreveu, esperou, aceitou, respondeu e finalizou, e quando.',
    query: conversationQuery,
    replies: { 200: pageOf(historyThread) },
  }),
  conversationOfTenant: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/admin/contacts/:id/history',
    area: 'Administração',
    role: 'admin',
    reads: { what: 'history', of: 'named' },
    summary: 'A vida de uma conversa de uma conta; com textos, a leitura fica registrada como de mensagens.',
    params: z.object({ id }),
    query: conversationQuery,
    replies: { 200: pageOf(historyThread) },
  }),
}

export type TenantHistoryKind = (typeof tenantHistoryKinds)[number]
export type TenantHistoryQuery = z.infer<typeof tenantHistoryQuery>
export type ConversationQuery = z.infer<typeof conversationQuery>
