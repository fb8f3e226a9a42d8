import { z } from 'zod'
import { quickReplyId } from '../values/ids.ts'
import { maximumTextLength } from '../values/lengths.ts'

const required = 'Atalho e conteúdo são obrigatórios'

/** GET /api/quick-replies → `quickReply[]`, by shortcut. */
export const quickReply = z.object({
  id: quickReplyId,
  shortcut: z.string(),
  content: z.string(),
  isActive: z.boolean(),
})

/** POST /api/quick-replies → 201 `quickReply`. A leading slash of the shortcut is left out; it has no spaces. */
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

/** PATCH /api/quick-replies/{id} → 200 `quickReply`: what is left out stays. DELETE → 200 `quickReplyRemoved`. */
export const changeQuickReplyBody = addQuickReplyBody.partial().extend({ isActive: z.boolean().optional() })
export const quickReplyRemoved = z.object({ id: quickReplyId })

export type QuickReply = z.infer<typeof quickReply>
