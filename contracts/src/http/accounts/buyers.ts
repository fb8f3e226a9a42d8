import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { reason } from '../reason.ts'

const erasureWord = 'apagar'

const eraseBuyerBody = z.strictObject(
  {
    email: z
      .string({ error: 'Informe o e-mail.' })
      .trim()
      .toLowerCase()
      .max(254, 'Este e-mail é longo demais.')
      .pipe(z.email('Informe um e-mail válido.')),
    reason,
    confirmation: z
      .string({ error: `Digite “${erasureWord}” para confirmar.` })
      .trim()
      .toLowerCase()
      .pipe(z.literal(erasureWord, { error: `Digite “${erasureWord}” para confirmar.` })),
  },
  { error: ({ code }) => (code === 'unrecognized_keys' ? 'Há campos que não podem ser enviados aqui.' : undefined) },
)

export const buyerEndpoints = {
  /** In the body: addresses stay out of URLs and logs. Counts everything erased so far. */
  erase: endpoint({
    service: 'billing',
    method: 'POST',
    path: '/api/admin/buyers/erase',
    area: 'Administração',
    role: 'admin',
    reads: 'nothing',
    summary: 'Apaga os dados de quem comprou ou ia comprar com um e-mail e não tem conta, e os que chegarem.',
    body: eraseBuyerBody,
    replies: { 200: z.object({ orders: z.int().nonnegative(), deliveries: z.int().nonnegative() }) },
  }),
}
