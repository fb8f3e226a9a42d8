import { z } from 'zod'
import { contactId, id } from '../../values/ids.ts'
import { instant } from '../../values/instant.ts'
import { endpoint } from '../endpoint.ts'
import { contactCounts, message, serviceStatus } from '../live-chat.ts'
import { pageOf, pageQuery } from '../page.ts'
import { moment } from './moment.ts'
import { pastKindsOfTenant, pastRecordKinds } from './past-records.ts'

/** `em`: for `?em=`. */
const mark = z.object({ em: z.string(), at: instant })

/** In log order. `current`: the last one at or before the moment; null before the first. */
const marks = { marks: z.array(mark), current: z.int().nonnegative().nullable() }

export const momentMarks = z.object(marks)

/** Null: not there, or erased. */
const changedContact = z.object({
  id: contactId,
  name: z.string().nullable(),
  before: serviceStatus.nullable(),
  after: serviceStatus.nullable(),
})

export const changesSince = z.object({
  before: contactCounts,
  after: contactCounts,
  /** The first 100 of `total`. */
  contacts: z.array(changedContact),
  total: z.int().nonnegative(),
  /** Of the last change, to compare with; null without any. */
  latest: z.string().nullable(),
})

/** Of a past record. */
export const pastRecord = z.object({ kind: z.enum(pastRecordKinds), id: z.string() })

/** Without values: it did not exist then. */
export const recordThen = z.object({
  values: z.array(z.object({ label: z.string(), value: z.string() })),
  ...marks,
  /** Of the last change, to compare with. */
  latest: z.string(),
})

const unknownRecord = 'Escolha um registro da lista.'
const recordId = z.string().regex(/^[\x21-\x7e]{1,200}$/, unknownRecord)

export const momentEndpoints = {
  /** At most 50 before the moment and 50 after it. */
  marks: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/moments',
    area: 'Conversas',
    summary: 'Os momentos perto de um, em que a lista de conversas ou um contato mudou.',
    query: z.object({ em: moment, contactId: contactId.optional() }),
    replies: { 200: momentMarks },
  }),
  changes: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/moments/changes',
    area: 'Conversas',
    summary: 'O que mudou na lista de conversas desde um momento.',
    query: z.object({ em: moment }),
    replies: { 200: changesSince },
  }),
  /** Own tenant only. */
  record: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/records/:kind/:id',
    area: 'Conversas',
    summary: 'Um registro como era em um momento, e quando ele mudou.',
    params: z.object({ kind: z.enum(pastKindsOfTenant, { error: unknownRecord }), id: recordId }),
    query: z.object({ em: moment }),
    replies: { 200: recordThen },
  }),
  /** Latest first. */
  messagesOfTenant: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/admin/contacts/:id/messages',
    area: 'Administração',
    role: 'admin',
    reads: { what: 'messages', of: 'named' },
    summary: 'As mensagens de um contato de uma conta como eram em um momento, com os tiques de então.',
    params: z.object({ id }),
    query: pageQuery.extend({ em: moment }),
    replies: { 200: pageOf(message) },
  }),
  recordOfTenant: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/admin/records/:kind/:id',
    area: 'Administração',
    role: 'admin',
    reads: { what: 'history', of: 'named' },
    summary: 'Um registro de uma conta ou da plataforma como era em um momento, e quando ele mudou.',
    params: z.object({ kind: z.enum(pastRecordKinds, { error: unknownRecord }), id: recordId }),
    query: z.object({ em: moment }),
    replies: { 200: recordThen },
  }),
}

export type MomentMarks = z.infer<typeof momentMarks>
export type Mark = z.infer<typeof mark>
export type ChangesSince = z.infer<typeof changesSince>
export type RecordThen = z.infer<typeof recordThen>
