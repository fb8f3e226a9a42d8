import { z } from 'zod'
import { id } from '../../values/ids.ts'
import { instant } from '../../values/instant.ts'
import { endpoint } from '../endpoint.ts'
import { areInOrder, days, wrongDays } from '../page.ts'

export const refusedRequest = z.object({
  day: z.iso.date(),
  /** Null: nobody was signed in or signing in, or the row collects the rest of a flood. */
  account: z.object({ id, name: z.string() }).nullable(),
  /** 'POST /api/auth/login'. */
  route: z.string(),
  /** What the route does, from its record; null for routes that are gone. */
  command: z.string().nullable(),
  /** The sentence that was answered. */
  reason: z.string(),
  /** Keyed hash of the address; null beyond the limits. */
  address: z.string().nullable(),
  count: z.int().positive(),
  firstAt: instant,
  lastAt: instant,
})

const addressCode = z
  .string()
  .regex(/^[0-9a-f]{4,64}$/i, 'O código de um endereço tem de 4 a 64 letras de A a F e números.')

export const refusedRequestEndpoints = {
  /** Latest first, at most 200, of the last 30 days. `address`: the first characters of its hash. */
  refused: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/admin/refused-requests',
    area: 'Administração',
    role: 'admin',
    reads: { what: 'history', of: 'named' },
    summary: 'Pedidos recusados: de quem, o quê, por quê e quantas vezes.',
    query: z.object({ user: id.optional(), address: addressCode.optional(), ...days }).refine(areInOrder, wrongDays),
    replies: { 200: z.array(refusedRequest) },
  }),
}

export type RefusedRequestRow = z.infer<typeof refusedRequest>
