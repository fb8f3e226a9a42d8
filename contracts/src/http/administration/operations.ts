import { z } from 'zod'
import { id } from '../../values/ids.ts'
import { instant } from '../../values/instant.ts'
import { endpoint } from '../endpoint.ts'

export const parkedWork = z.object({
  id,
  /** `reactor <name>`, `timer <kind>` or `projection <name>` */
  worker: z.string(),
  /** Only for projections; other keys may be personal. */
  tenant: z.string().nullable(),
  /** Null while a decision is executed. */
  eventId: id.nullable(),
  errorName: z.string(),
  /** English, free of personal data. */
  message: z.string(),
  attempts: z.number().int(),
  parkedAt: instant,
  /** Including the failed one. */
  waiting: z.number().int(),
  /** Pending decision. */
  request: z.enum(['retry', 'release']).nullable(),
})

const params = z.object({ id })

export const retryWorkBody = z
  .object({ reason: z.string().trim().min(1).max(500, 'Use no máximo 500 caracteres.').optional() })
  .nullish()

const missingReason = 'Informe o motivo.'

export const releaseWorkBody = z.object({
  reason: z.string({ error: missingReason }).trim().min(1, missingReason).max(500, 'Use no máximo 500 caracteres.'),
})

export const workAccepted = z.object({ id })

/** `requested`: waiting for its rebuild; `behind`: rows lag. Readers see the former rows. */
export const readModelState = z.enum(['current', 'behind', 'requested', 'rebuilding'])

export const readModel = z.object({
  name: z.string(),
  version: z.number().int(),
  /** Events of our own logs, bytes of EventStoreDB's. */
  position: z.number().int(),
  /** In the unit of `position`. */
  lag: z.number().int().nonnegative(),
  state: readModelState,
  progress: z
    .object({
      percent: z.number().int().min(0).max(100),
      secondsLeft: z.number().int().nonnegative().nullable(),
    })
    .nullable(),
  requestedAt: instant.nullable(),
  /** End of the last requested rebuild. */
  rebuiltAt: instant.nullable(),
  /** Their rows do not advance. */
  parkedTenants: z.number().int().nonnegative(),
})

export const readModelList = z.object({
  measure: z.enum(['events', 'bytes']),
  readModels: z.array(readModel),
})

export const operationEndpoints = {
  /** Longest parked first, at most 500. */
  parkedWork: endpoint({
    service: 'operations',
    method: 'GET',
    path: '/api/admin/parked-work',
    area: 'Administração',
    role: 'admin',
    reads: 'nothing',
    summary: 'O trabalho que parou por um erro.',
    replies: { 200: z.array(parkedWork) },
  }),
  retryWork: endpoint({
    service: 'operations',
    method: 'POST',
    path: '/api/admin/parked-work/:id/retry',
    area: 'Administração',
    role: 'admin',
    reads: 'nothing',
    summary: 'Tenta de novo um trabalho parado.',
    params,
    body: retryWorkBody,
    replies: { 202: workAccepted },
  }),
  /** Skips the failed event; later ones follow in order. */
  releaseWork: endpoint({
    service: 'operations',
    method: 'POST',
    path: '/api/admin/parked-work/:id/release',
    area: 'Administração',
    role: 'admin',
    reads: 'nothing',
    summary: 'Desiste do evento que falha; os seguintes continuam.',
    params,
    body: releaseWorkBody,
    replies: { 202: workAccepted },
  }),
  readModels: endpoint({
    service: 'operations',
    method: 'GET',
    path: '/api/admin/read-models',
    area: 'Administração',
    role: 'admin',
    reads: 'nothing',
    summary: 'As tabelas de leitura e o quanto estão em dia.',
    replies: { 200: readModelList },
  }),
  /** Rows stay readable. Idempotent. */
  rebuildReadModel: endpoint({
    service: 'operations',
    method: 'POST',
    path: '/api/admin/read-models/:name/rebuild',
    area: 'Administração',
    role: 'admin',
    reads: 'nothing',
    summary: 'Reconstrói uma tabela de leitura a partir do registro de eventos.',
    body: retryWorkBody,
    replies: { 202: z.object({ name: z.string() }) },
  }),
}

export type ParkedWork = z.infer<typeof parkedWork>
export type ReadModelState = z.infer<typeof readModelState>
export type ReadModelReport = z.infer<typeof readModel>
