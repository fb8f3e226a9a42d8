import { z } from 'zod'
import { id } from '../../values/ids.ts'
import { instant } from '../../values/instant.ts'
import { endpoint } from '../endpoint.ts'
import { pageOf, pageQuery } from '../page.ts'

export const erasureKinds = ['account', 'contact', 'buyer'] as const

export const erasure = z.object({
  /** Of the event that recorded it. */
  id,
  at: instant,
  kind: z.enum(erasureKinds),
  /** Of whom: a code, no name. */
  subjectId: z.string(),
  /** Who asked for it; null where that account was erased itself. */
  by: z.string().nullable(),
  reason: z.string().nullable(),
  /** Events that followed from it, by type. */
  followed: z.array(z.object({ type: z.string(), count: z.int().positive() })),
})

const rowsIn = z.object({ table: z.string(), count: z.int().positive() })

export const erasureRest = z.object({
  /** Keys of the person, and of an account's contacts: how many were checked, and how many still exist. */
  keys: z.object({ checked: z.int(), left: z.int() }),
  /** Rows that still have the person's code, by table; none once every read model has caught up. */
  tables: z.object({
    checked: z.int(),
    left: z.array(rowsIn),
    /** Counts and sums, which have nothing personal. */
    counts: z.array(rowsIn),
  }),
  /** Events of the history, which stay, without personal data. */
  events: z.int(),
  /** Charges, which tax law keeps, without the buyer. */
  charges: z.int(),
})

const common = { service: 'projections', method: 'GET', area: 'Administração', role: 'admin' } as const

export const erasureEndpoints = {
  /** Newest first, 25 a page. Reasons may name people. */
  list: endpoint({
    ...common,
    path: '/api/admin/erasures',
    reads: { what: 'history', of: 'all' },
    summary: 'O que foi apagado: quando, por quem, por quê e o que se seguiu.',
    query: pageQuery,
    replies: { 200: pageOf(erasure) },
  }),
  rest: endpoint({
    ...common,
    path: '/api/admin/erasures/:id/rest',
    reads: 'nothing',
    summary: 'A prova: chaves e linhas que ainda restam de quem foi apagado, contadas agora.',
    params: z.object({ id }),
    replies: { 200: erasureRest },
  }),
}

export type Erasure = z.infer<typeof erasure>
export type ErasureRest = z.infer<typeof erasureRest>
