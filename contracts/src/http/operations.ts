import { z } from 'zod'
import { id } from '../values/ids.ts'
import { instant } from '../values/instant.ts'
import { endpoint } from './endpoint.ts'

export const parkedWork = z.object({
  id,
  /** `reactor <name>`, `timer <kind>` or `projection <name>` */
  worker: z.string(),
  /** The account whose rows a projection does not show on; null for the others, whose keys may be personal. */
  tenant: z.string().nullable(),
  /** The event that could not be handled; null while an administrator's decision is being carried out. */
  eventId: id.nullable(),
  errorName: z.string(),
  /** Technical, in English, free of personal data. */
  message: z.string(),
  attempts: z.number().int(),
  parkedAt: instant,
  /** Events of the key that wait in line, the failing one among them. */
  waiting: z.number().int(),
  /** What was asked for and is not done yet. */
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

/**
 * `requested`: an administrator asked for it to be built anew, and it waits for its turn. `behind`: it does not show all of the
 * log yet. In all of them readers have what it showed before.
 */
export const readModelState = z.enum(['current', 'behind', 'requested', 'rebuilding'])

export const readModel = z.object({
  /** As in our code, e.g. `contact-list`. */
  name: z.string(),
  /** Of what readers see. */
  version: z.number().int(),
  /** How far into the log that is: events of our own logs, bytes of EventStoreDB's. */
  position: z.number().int(),
  /** How much of the log it does not show yet, in the same measure. */
  lag: z.number().int().nonnegative(),
  state: readModelState,
  /** The building that is under way. */
  progress: z
    .object({
      percent: z.number().int().min(0).max(100),
      /** Estimated from how fast it went so far; null while nothing can be said. */
      secondsLeft: z.number().int().nonnegative().nullable(),
    })
    .nullable(),
  /** When what is asked for and not done yet was asked for. */
  requestedAt: instant.nullable(),
  /** When what an administrator asked for last was done. */
  rebuiltAt: instant.nullable(),
  /** Accounts whose rows stand still, because an event of theirs could not be folded. */
  parkedTenants: z.number().int().nonnegative(),
})

export const readModelList = z.object({
  measure: z.enum(['events', 'bytes']),
  /** By name. */
  readModels: z.array(readModel),
})

export const operationEndpoints = {
  /** Longest parked first, 500 at most. */
  parkedWork: endpoint({
    method: 'GET',
    path: '/api/admin/parked-work',
    area: 'Administração',
    role: 'admin',
    reads: 'nothing',
    summary: 'O trabalho que parou por um erro.',
    replies: { 200: z.array(parkedWork) },
  }),
  retryWork: endpoint({
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
  /** Skips the failing event; those behind it go on in order. */
  releaseWork: endpoint({
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
    method: 'GET',
    path: '/api/admin/read-models',
    area: 'Administração',
    role: 'admin',
    reads: 'nothing',
    summary: 'As tabelas de leitura e o quanto estão em dia.',
    replies: { 200: readModelList },
  }),
  /** Built anew beside what is shown, which goes on; while that is under way, asking again changes nothing. */
  rebuildReadModel: endpoint({
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
