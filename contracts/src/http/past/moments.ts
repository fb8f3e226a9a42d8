import { z } from 'zod'
import { contactId } from '../../values/ids.ts'
import { instant } from '../../values/instant.ts'
import { endpoint } from '../endpoint.ts'
import { contactCounts, serviceStatus } from '../live-chat.ts'
import { moment } from './moment.ts'

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

export const pastRecordKinds = [
  'contact',
  'connection',
  'flow',
  'quickReplies',
  'company',
  'openingHours',
  'access',
] as const

export const recordThen = z.object({ values: z.array(z.object({ label: z.string(), value: z.string() })), ...marks })

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
  /** `id` of `quickReplies`, `company`, `openingHours` and `access`: one's own account. */
  record: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/records/:kind/:id',
    area: 'Conversas',
    summary: 'Um registro como era em um momento, e quando ele mudou.',
    params: z.object({ kind: z.enum(pastRecordKinds, { error: 'Escolha um registro da lista.' }), id: z.string() }),
    query: z.object({ em: moment }),
    replies: { 200: recordThen },
  }),
}

export type MomentMarks = z.infer<typeof momentMarks>
export type Mark = z.infer<typeof mark>
export type ChangesSince = z.infer<typeof changesSince>
export type PastRecordKind = (typeof pastRecordKinds)[number]
export type RecordThen = z.infer<typeof recordThen>
