import { z } from 'zod'
import { id, userId } from '../../values/ids.ts'
import { instant } from '../../values/instant.ts'
import { maximumSupportMessageLength, maximumSupportSubjectLength } from '../../values/lengths.ts'
import { supportPriorities } from '../../values/support.ts'
import { endpoint } from '../endpoint.ts'
import { pageOf, pageQuery } from '../page.ts'

const params = z.object({ id })

/** Null if not set. */
export const supportChannels = z.object({
  email: z.string().nullable(),
  phone: z.string().nullable(),
  chatUrl: z.string().nullable(),
})

export const supportRequestBody = z.object({
  subject: z
    .string({ error: 'Escreva o assunto.' })
    .trim()
    .min(1, 'Escreva o assunto.')
    .max(maximumSupportSubjectLength, 'O assunto pode ter no máximo 150 caracteres.'),
  message: z
    .string({ error: 'Escreva a mensagem.' })
    .trim()
    .min(1, 'Escreva a mensagem.')
    .max(maximumSupportMessageLength, 'A mensagem pode ter no máximo 5.000 caracteres.'),
  priority: z.enum(supportPriorities, { error: 'Escolha uma prioridade.' }).default('medium'),
})

export const supportRequestSent = z.object({ id })
export const supportRequestAnswered = z.object({ id })

export const listedSupportRequest = z.object({
  id,
  subject: z.string(),
  message: z.string(),
  priority: z.enum(supportPriorities),
  createdAt: instant,
  answeredAt: instant.nullable(),
  /** Null while the account is not listed yet. */
  account: z.object({ id: userId, name: z.string(), email: z.string() }).nullable(),
})

export const supportEndpoints = {
  channels: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/support/channels',
    area: 'Suporte',
    summary: 'O e-mail, o telefone e o chat do suporte.',
    replies: { 200: supportChannels },
  }),
  send: endpoint({
    service: 'identity',
    method: 'POST',
    path: '/api/support/requests',
    area: 'Suporte',
    summary: 'Envia uma mensagem ao suporte.',
    body: supportRequestBody,
    replies: { 201: supportRequestSent },
  }),
  /** Latest first; `open`: unanswered. */
  list: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/admin/support-requests',
    area: 'Administração',
    role: 'admin',
    reads: { what: 'support_requests', of: 'all' },
    summary: 'As mensagens ao suporte, da mais recente.',
    query: pageQuery.extend({ open: z.literal('true').optional() }),
    replies: { 200: pageOf(listedSupportRequest) },
  }),
  /** The answer is sent by other means. */
  answer: endpoint({
    service: 'identity',
    method: 'POST',
    path: '/api/admin/support-requests/:id/answer',
    area: 'Administração',
    role: 'admin',
    reads: 'nothing',
    summary: 'Marca uma mensagem ao suporte como respondida.',
    params,
    replies: { 200: supportRequestAnswered },
  }),
}

export type SupportChannels = z.infer<typeof supportChannels>
export type SupportRequestBody = z.infer<typeof supportRequestBody>
export type ListedSupportRequest = z.infer<typeof listedSupportRequest>
