import { z } from 'zod'
import { contactId, contactNoteId } from '../values/ids.ts'
import { instant } from '../values/instant.ts'
import { maximumNameLength, maximumNoteLength } from '../values/lengths.ts'

/** PUT /api/whatsapp/contacts/{id}/name → 200 `contactRenamed`. A blank name is taken back: the person's own is shown again. */
export const renameContactBody = z.object({
  name: z
    .string({ error: 'Escreva um nome.' })
    .trim()
    .max(maximumNameLength, `O nome pode ter no máximo ${maximumNameLength} caracteres.`),
})
export const contactRenamed = z.object({ id: contactId, name: z.string().nullable() })

/** GET /api/whatsapp/contacts/{id}/notes → `contactNote[]`, the latest first: those of contacts merged into it too. */
export const contactNote = z.object({
  id: contactNoteId,
  text: z.string(),
  writtenAt: instant,
  /** Who wrote it; null where the account shows no name. */
  author: z.string().nullable(),
})

/** POST /api/whatsapp/contacts/{id}/notes → 201 `contactNoteWritten`. */
export const writeNoteBody = z.object({
  text: z
    .string({ error: 'Escreva a nota.' })
    .trim()
    .min(1, 'Escreva a nota.')
    .max(maximumNoteLength, 'A nota pode ter no máximo 2.000 caracteres.'),
})
/** DELETE /api/whatsapp/contacts/{id}/notes/{noteId} → 200 `contactNoteRemoved`. */
export const contactNoteWritten = z.object({ id: contactNoteId })
export const contactNoteRemoved = z.object({ id: contactNoteId })

export type ContactNote = z.infer<typeof contactNote>
