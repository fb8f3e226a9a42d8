import { z } from 'zod'
import { contactId, id, userId } from '../../values/ids.ts'
import { endpoint } from '../endpoint.ts'
import { reason } from '../reason.ts'

const unknownFields = {
  error: ({ code }: { code?: string }) =>
    code === 'unrecognized_keys' ? 'Há campos que não podem ser enviados aqui.' : undefined,
}

/** Without a contact: the whole account. */
const requestExportBody = z.strictObject({ contactId: contactId.optional() }, unknownFields).nullish()

const requestAccountExportBody = z.strictObject({ reason: reason.optional() }, unknownFields).nullish()

/** Downloadable for 15 minutes. */
const exportRequested = z.object({ id })

const file = { method: 'GET', file: 'reply', replies: {} } as const

/** LGPD, art. 18. A command: it records an event, and its reason must not be in a URL. */
export const exportEndpoints = {
  request: endpoint({
    service: 'operations',
    method: 'POST',
    path: '/api/exports',
    area: 'Conta',
    alsoForAnalysts: true,
    summary: 'Pede uma cópia de todos os dados da conta, ou dos dados de um contato.',
    body: requestExportBody,
    replies: { 201: exportRequested },
  }),
  file: endpoint({
    service: 'projections',
    ...file,
    path: '/api/exports/:id',
    area: 'Conta',
    alsoForAnalysts: true,
    summary: 'A cópia que foi pedida, como arquivo ZIP.',
    params: z.object({ id }),
  }),
  requestAccount: endpoint({
    service: 'operations',
    method: 'POST',
    path: '/api/admin/users/:id/exports',
    area: 'Administração',
    role: 'admin',
    reads: { what: 'account_file', of: 'named' },
    summary: 'Pede uma cópia de todos os dados de um usuário.',
    params: z.object({ id: userId }),
    body: requestAccountExportBody,
    replies: { 201: exportRequested },
  }),
  accountFile: endpoint({
    service: 'projections',
    ...file,
    path: '/api/admin/users/:id/exports/:exportId',
    area: 'Administração',
    role: 'admin',
    reads: { what: 'account_file', of: 'named' },
    summary: 'A cópia dos dados de um usuário que foi pedida, como arquivo ZIP.',
    params: z.object({ id: userId, exportId: id }),
  }),
}
