import { z } from 'zod'
import { contactId, labelId } from '../values/ids.ts'
import { labelColours } from '../values/label-colour.ts'
import { maximumContactsAtOnce, maximumLabelLength } from '../values/lengths.ts'
import { endpoint } from './endpoint.ts'
import { ofMoment } from './past/moment.ts'

const required = 'Dê um nome à etiqueta.'

const colour = z.enum(labelColours, { error: 'Escolha uma cor da paleta.' })

export const label = z.object({ id: labelId, name: z.string(), colour: z.enum(labelColours) })

export const createLabelBody = z.object({
  name: z
    .string({ error: required })
    .transform((text) => text.replace(/\s+/g, ' ').trim())
    .pipe(
      z
        .string()
        .min(1, required)
        .max(maximumLabelLength, `O nome pode ter no máximo ${maximumLabelLength} caracteres.`),
    ),
  colour,
})

export const changeLabelBody = createLabelBody.partial()
export const labelDeleted = z.object({ id: labelId })

const atOnce = `Escolha de 1 a ${maximumContactsAtOnce} contatos.`

/** False removes the label. */
export const labelContactsBody = z.object({
  contactIds: z
    .array(z.uuid('Contato não encontrado.').toLowerCase(), { error: atOnce })
    .min(1, atOnce)
    .max(maximumContactsAtOnce, atOnce),
  isLabelled: z.boolean({ error: 'Diga se a etiqueta entra ou sai.' }),
})

/** Contacts outside `refused` have the requested state. */
export const contactsLabelled = z.object({
  id: labelId,
  isLabelled: z.boolean(),
  refused: z.array(z.object({ contactId, type: z.string(), title: z.string() })),
})

export const labelEndpoints = {
  list: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/labels',
    area: 'Conversas',
    summary: 'As etiquetas, por nome; com em, como eram.',
    query: ofMoment,
    replies: { 200: z.array(label) },
  }),
  create: endpoint({
    service: 'contacts',
    method: 'POST',
    path: '/api/labels',
    area: 'Conversas',
    summary: 'Cria uma etiqueta.',
    body: createLabelBody,
    replies: { 201: label },
  }),
  change: endpoint({
    service: 'contacts',
    method: 'PATCH',
    path: '/api/labels/:id',
    area: 'Conversas',
    summary: 'Muda o nome ou a cor de uma etiqueta.',
    body: changeLabelBody,
    replies: { 200: label },
  }),
  remove: endpoint({
    service: 'contacts',
    method: 'DELETE',
    path: '/api/labels/:id',
    area: 'Conversas',
    summary: 'Exclui uma etiqueta, que sai de todos os contatos.',
    replies: { 200: labelDeleted },
  }),
  labelContacts: endpoint({
    service: 'contacts',
    method: 'POST',
    path: '/api/labels/:id/contacts',
    area: 'Conversas',
    summary: 'Põe uma etiqueta em contatos, ou a tira deles.',
    body: labelContactsBody,
    replies: { 200: contactsLabelled },
  }),
}

export type Label = z.infer<typeof label>
export type ContactsLabelled = z.infer<typeof contactsLabelled>
