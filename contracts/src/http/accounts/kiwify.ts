import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

export const deliveryReceived = z.object({ received: z.literal(true) })

const webhook = {
  method: 'POST',
  area: 'Cobrança',
  open: true,
  file: 'body',
  replies: { 200: deliveryReceived },
} as const

/** Called by Kiwify: `?signature=` is the HMAC-SHA1 of the raw body with the webhook's token. */
export const kiwifyEndpoints = {
  approved: endpoint({
    service: 'billing',
    ...webhook,
    path: '/kiwify/payment/approved',
    summary: 'Recebe um aviso da Kiwify, assinado por ela: compras aprovadas e renovações.',
  }),
  refunded: endpoint({
    service: 'billing',
    ...webhook,
    path: '/kiwify/payment/refunded',
    summary: 'Recebe um aviso da Kiwify, assinado por ela: reembolsos e chargebacks.',
  }),
}
