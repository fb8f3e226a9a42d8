import { z } from 'zod'
import { quickReplyId } from '../values/ids.ts'
import { maximumTextLength } from '../values/lengths.ts'
import { endpoint } from './endpoint.ts'
import { ofMoment } from './past/moment.ts'

const required = 'Atalho e conteúdo são obrigatórios'

export const quickReply = z.object({
  id: quickReplyId,
  shortcut: z.string(),
  content: z.string(),
  isActive: z.boolean(),
})

/** Removes a leading slash; refuses spaces. */
export const addQuickReplyBody = z.object({
  shortcut: z
    .string({ error: required })
    .trim()
    .transform((text) => text.replace(/^\/+/, ''))
    .pipe(
      z
        .string()
        .min(1, required)
        .max(40, 'O atalho pode ter no máximo 40 caracteres.')
        .regex(/^\S+$/, 'O atalho não pode ter espaços.'),
    ),
  content: z
    .string({ error: required })
    .trim()
    .min(1, required)
    .max(maximumTextLength, 'O conteúdo pode ter no máximo 4.096 caracteres.'),
  isActive: z.boolean().default(true),
})

export const changeQuickReplyBody = addQuickReplyBody.partial().extend({ isActive: z.boolean().optional() })
export const quickReplyRemoved = z.object({ id: quickReplyId })

export const quickReplyEndpoints = {
  list: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/quick-replies',
    area: 'Conversas',
    summary: 'As respostas rápidas, por atalho; com em, como eram.',
    query: ofMoment,
    replies: { 200: z.array(quickReply) },
  }),
  add: endpoint({
    service: 'contacts',
    method: 'POST',
    path: '/api/quick-replies',
    area: 'Conversas',
    summary: 'Cria uma resposta rápida.',
    body: addQuickReplyBody,
    replies: { 201: quickReply },
  }),
  change: endpoint({
    service: 'contacts',
    method: 'PATCH',
    path: '/api/quick-replies/:id',
    area: 'Conversas',
    summary: 'Altera uma resposta rápida.',
    body: changeQuickReplyBody,
    replies: { 200: quickReply },
  }),
  remove: endpoint({
    service: 'contacts',
    method: 'DELETE',
    path: '/api/quick-replies/:id',
    area: 'Conversas',
    summary: 'Exclui uma resposta rápida.',
    replies: { 200: quickReplyRemoved },
  }),
}

export type QuickReply = z.infer<typeof quickReply>
