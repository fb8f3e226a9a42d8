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

export const operationEndpoints = {
  /** Longest parked first, 500 at most. */
  parkedWork: endpoint({
    method: 'GET',
    path: '/api/admin/parked-work',
    area: 'Administração',
    role: 'admin',
    summary: 'O trabalho que parou por um erro.',
    replies: { 200: z.array(parkedWork) },
  }),
  retryWork: endpoint({
    method: 'POST',
    path: '/api/admin/parked-work/:id/retry',
    area: 'Administração',
    role: 'admin',
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
    summary: 'Desiste do evento que falha; os seguintes continuam.',
    params,
    body: releaseWorkBody,
    replies: { 202: workAccepted },
  }),
}

export type ParkedWork = z.infer<typeof parkedWork>
