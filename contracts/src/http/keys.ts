import { z } from 'zod'
import { id } from '../values/ids.ts'
import { instant } from '../values/instant.ts'
import { keyReach, keyScope, maxKeyDays, platformScope } from '../values/key.ts'
import { endpoint } from './endpoint.ts'

const name = z.string().trim().min(1, 'Dê um nome à chave.').max(80)
const expiresInDays = z.int().min(1).max(maxKeyDays)
const scopes = z.array(keyScope).min(1)

const createKeyBody = z.strictObject({ name, scopes, expiresInDays, withPersonal: z.boolean().default(false) })
const createAnalystKeyBody = z.strictObject({ name, scopes: z.array(platformScope).min(1), expiresInDays })

export const apiKeyShown = z.object({
  id,
  name: z.string(),
  reach: keyReach,
  scopes: z.array(keyScope),
  withPersonal: z.boolean(),
  createdAt: instant,
  expiresAt: instant,
  revokedAt: instant.nullable(),
  /** To the hour. */
  lastUsedAt: instant.nullable(),
})
export type ApiKeyShown = z.infer<typeof apiKeyShown>

/** `key` is in this reply only. */
const keyCreated = z.object({ id, key: z.string() })

export const keyEndpoints = {
  list: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/keys',
    area: 'Dados',
    alsoForAnalysts: true,
    summary: 'As chaves da conta, sem o segredo.',
    replies: { 200: z.array(apiKeyShown) },
  }),
  create: endpoint({
    service: 'operations',
    method: 'POST',
    path: '/api/keys',
    area: 'Dados',
    summary: 'Cria uma chave para a própria conta. O segredo só aparece aqui.',
    body: createKeyBody,
    replies: { 201: keyCreated },
  }),
  createForAnalyst: endpoint({
    service: 'operations',
    method: 'POST',
    path: '/api/analyst/keys',
    area: 'Dados',
    role: 'analyst',
    reads: 'nothing',
    summary: 'Cria uma chave para os eventos de todas as contas, com pseudônimos.',
    body: createAnalystKeyBody,
    replies: { 201: keyCreated },
  }),
  revoke: endpoint({
    service: 'operations',
    method: 'DELETE',
    path: '/api/keys/:id',
    area: 'Dados',
    alsoForAnalysts: true,
    summary: 'Revoga uma chave.',
    params: z.object({ id }),
    replies: { 200: z.object({ id }) },
  }),
}
