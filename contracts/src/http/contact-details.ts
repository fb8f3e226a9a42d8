import { z } from 'zod'
import { contactId, contactNoteId } from '../values/ids.ts'
import { instant } from '../values/instant.ts'
import { maximumNameLength, maximumNoteLength } from '../values/lengths.ts'
import { visibleName } from '../values/text/visible-name.ts'
import { endpoint } from './endpoint.ts'

/** Blank restores the person's own name. */
export const renameContactBody = z.object({
  name: z
    .string({ error: 'Escreva um nome.' })
    .transform(visibleName)
    .pipe(z.string().max(maximumNameLength, `O nome pode ter no máximo ${maximumNameLength} caracteres.`)),
})
export const contactRenamed = z.object({ id: contactId, name: z.string().nullable() })

export const contactNote = z.object({
  id: contactNoteId,
  text: z.string(),
  writtenAt: instant,
  author: z.string().nullable(),
})

export const writeNoteBody = z.object({
  text: z
    .string({ error: 'Escreva a nota.' })
    .trim()
    .min(1, 'Escreva a nota.')
    .max(maximumNoteLength, 'A nota pode ter no máximo 2.000 caracteres.'),
})
export const contactNoteWritten = z.object({ id: contactNoteId })
export const contactNoteRemoved = z.object({ id: contactNoteId })

export const contactDetailEndpoints = {
  renameContact: endpoint({
    service: 'contacts',
    method: 'PUT',
    path: '/api/whatsapp/contacts/:id/name',
    area: 'Conversas',
    summary: 'Dá a um contato o nome que a empresa usa.',
    body: renameContactBody,
    replies: { 200: contactRenamed },
  }),
  /** Latest first, with merged contacts' notes. */
  notes: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/whatsapp/contacts/:id/notes',
    area: 'Conversas',
    summary: 'As notas sobre um contato.',
    replies: { 200: z.array(contactNote) },
  }),
  writeNote: endpoint({
    service: 'contacts',
    method: 'POST',
    path: '/api/whatsapp/contacts/:id/notes',
    area: 'Conversas',
    summary: 'Escreve uma nota sobre um contato.',
    body: writeNoteBody,
    replies: { 201: contactNoteWritten },
  }),
  removeNote: endpoint({
    service: 'contacts',
    method: 'DELETE',
    path: '/api/whatsapp/contacts/:id/notes/:noteId',
    area: 'Conversas',
    summary: 'Apaga uma nota.',
    replies: { 200: contactNoteRemoved },
  }),
}

export type ContactNote = z.infer<typeof contactNote>
