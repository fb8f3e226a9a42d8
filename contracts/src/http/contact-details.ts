import { z } from 'zod'
import { answerTypes } from '../values/answers/answer-type.ts'
import { contactFieldId, contactId, contactNoteId } from '../values/ids.ts'
import { instant } from '../values/instant.ts'
import { maximumFieldValueLength, maximumLabelLength, maximumNameLength, maximumNoteLength } from '../values/lengths.ts'
import { visibleName } from '../values/text/visible-name.ts'
import { endpoint } from './endpoint.ts'
import { ofMoment } from './past/moment.ts'

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

const fieldNameRequired = 'Dê um nome ao campo.'
const fieldName = z
  .string({ error: fieldNameRequired })
  .transform((text) => text.replace(/\s+/g, ' ').trim())
  .pipe(
    z
      .string()
      .max(maximumLabelLength, `O nome pode ter no máximo ${maximumLabelLength} caracteres.`)
      .regex(/\p{L}/u, fieldNameRequired),
  )

/** Files are no values. */
const contactFieldTypes = answerTypes.filter((type) => type !== 'file')

/** Texts of flows and quick replies show its value for `{variable}`. */
export const contactField = z.object({
  id: contactFieldId,
  name: z.string(),
  variable: z.string(),
  type: z.enum(answerTypes),
})
export const createContactFieldBody = z.object({
  name: fieldName,
  type: z.enum(contactFieldTypes, { error: 'Escolha o que o campo guarda.' }),
})
export const renameContactFieldBody = z.object({ name: fieldName })
export const contactFieldDeleted = z.object({ id: contactFieldId })

export const contactFieldValue = z.object({ fieldId: contactFieldId, value: z.string() })
/** As people write it; blank empties the field. */
export const setContactFieldBody = z.object({
  value: z
    .string({ error: 'Escreva o valor.' })
    .trim()
    .max(maximumFieldValueLength, `O valor pode ter no máximo ${maximumFieldValueLength} caracteres.`),
})
export const contactFieldSet = z.object({ id: contactFieldId, value: z.string().nullable() })

export const contactFieldEndpoints = {
  list: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/contact-fields',
    area: 'Conversas',
    summary: 'Os campos próprios dos contatos, por nome; com em, como eram.',
    query: ofMoment,
    replies: { 200: z.array(contactField) },
  }),
  create: endpoint({
    service: 'contacts',
    method: 'POST',
    path: '/api/contact-fields',
    area: 'Conversas',
    summary: 'Cria um campo próprio dos contatos.',
    body: createContactFieldBody,
    replies: { 201: contactField },
  }),
  rename: endpoint({
    service: 'contacts',
    method: 'PATCH',
    path: '/api/contact-fields/:id',
    area: 'Conversas',
    summary: 'Muda o nome de um campo. A variável continua a mesma.',
    body: renameContactFieldBody,
    replies: { 200: contactField },
  }),
  remove: endpoint({
    service: 'contacts',
    method: 'DELETE',
    path: '/api/contact-fields/:id',
    area: 'Conversas',
    summary: 'Exclui um campo, que sai de todos os contatos.',
    replies: { 200: contactFieldDeleted },
  }),
  /** Fields that have a value. */
  values: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/whatsapp/contacts/:id/fields',
    area: 'Conversas',
    summary: 'Os valores dos campos próprios de um contato.',
    replies: { 200: z.array(contactFieldValue) },
  }),
  setValue: endpoint({
    service: 'contacts',
    method: 'PUT',
    path: '/api/whatsapp/contacts/:id/fields/:fieldId',
    area: 'Conversas',
    summary: 'Preenche um campo próprio de um contato, ou o esvazia.',
    body: setContactFieldBody,
    replies: { 200: contactFieldSet },
  }),
}

export type ContactField = z.infer<typeof contactField>
export type ContactFieldValue = z.infer<typeof contactFieldValue>
export type ContactNote = z.infer<typeof contactNote>
