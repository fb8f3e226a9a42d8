import { z } from 'zod'
import { userId } from '../../values/ids.ts'
import { instant } from '../../values/instant.ts'
import { readingPurpose } from '../../values/reading.ts'
import { endpoint } from '../endpoint.ts'

/** Null: all tenants, or none. */
const tenantId = userId.nullable()

export const readingPurposeBody = z
  .strictObject({
    tenantId,
    purpose: readingPurpose,
    /** May name people: stored encrypted. */
    details: z.string({ error: 'Escreva um texto.' }).trim().max(500, 'Use no máximo 500 caracteres.').optional(),
  })
  .refine(({ purpose, details }) => purpose !== 'other' || details, {
    error: 'Escreva o motivo.',
    path: ['details'],
  })

/** Null: a purpose is needed. */
const readingAllowed = z.object({ until: instant.nullable() })

const common = { path: '/api/admin/reading-purposes', area: 'Administração', role: 'admin', reads: 'nothing' } as const

export const readingPurposeEndpoints = {
  /** Valid for one hour; idempotent meanwhile. */
  state: endpoint({
    service: 'operations',
    ...common,
    method: 'POST',
    summary: 'Declara por que é preciso ver dados pessoais de uma conta, ou os de todas; vale por uma hora.',
    body: readingPurposeBody,
    replies: { 200: readingAllowed },
  }),
  /** For requests by the browser itself, such as files. */
  current: endpoint({
    service: 'operations',
    ...common,
    method: 'GET',
    summary: 'Até quando vale o motivo declarado para ver dados de uma conta, ou os de todas.',
    query: z.object({ tenantId: userId.optional() }),
    replies: { 200: readingAllowed },
  }),
}

export type ReadingPurposeBody = z.input<typeof readingPurposeBody>
