import { z } from 'zod'
import { userId } from '../values/ids.ts'
import { instant } from '../values/instant.ts'
import { readingPurpose } from '../values/reading.ts'
import { endpoint } from './endpoint.ts'

/** An account, or null: what belongs to all of them, or to none. */
const tenantId = userId.nullable()

export const readingPurposeBody = z
  .strictObject({
    tenantId,
    purpose: readingPurpose,
    /** In free words: it may be about a person, and is stored locked. */
    details: z.string({ error: 'Escreva um texto.' }).trim().max(500, 'Use no máximo 500 caracteres.').optional(),
  })
  .refine(({ purpose, details }) => purpose !== 'other' || details, {
    error: 'Escreva o motivo.',
    path: ['details'],
  })

/** Until when whoever asked may read what belongs to this tenant; null: they have to say why first. */
const readingAllowed = z.object({ until: instant.nullable() })

const common = { path: '/api/admin/reading-purposes', area: 'Administração', role: 'admin', reads: 'nothing' } as const

export const readingPurposeEndpoints = {
  /** Holds for one hour; while one does, stating another changes nothing. */
  state: endpoint({
    ...common,
    method: 'POST',
    summary: 'Declara por que é preciso ver dados pessoais de uma conta, ou os de todas; vale por uma hora.',
    body: readingPurposeBody,
    replies: { 200: readingAllowed },
  }),
  /** For what a browser fetches by itself, such as a file. Without `tenantId`: of all accounts. */
  current: endpoint({
    ...common,
    method: 'GET',
    summary: 'Até quando vale o motivo declarado para ver dados de uma conta, ou os de todas.',
    query: z.object({ tenantId: userId.optional() }),
    replies: { 200: readingAllowed },
  }),
}

export type ReadingPurposeBody = z.input<typeof readingPurposeBody>
