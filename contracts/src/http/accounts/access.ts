import { z } from 'zod'
import { userId } from '../../values/ids.ts'
import { instant } from '../../values/instant.ts'
import { subscriptionStatus } from '../../values/kiwify.ts'
import { endpoint } from '../endpoint.ts'
import { reason } from '../reason.ts'

const statusNames = 'Escolha ativo, expirado ou cancelado.'
const missingDate = 'Informe uma data.'

const date = z.iso
  .datetime({ offset: true, error: missingDate })
  .transform((text) => new Date(text).toISOString())
  .pipe(instant)

const params = z.object({ id: userId })

const extendBody = z.object({
  subscriptionEnd: date,
  subscriptionStatus: z.literal('active', { error: 'Quem ganha mais tempo fica ativo.' }),
  reason: reason.optional(),
})

const statusBody = z.object({
  subscriptionStatus: z.enum(subscriptionStatus.options, { error: statusNames }),
  reason: reason.optional(),
})

/** Uses the server's time of receipt. */
const removeBody = z.object({
  subscriptionStatus: z.literal('expired', { error: 'Quem perde o acesso fica expirado.' }),
  subscriptionEnd: date,
  reason: reason.optional(),
})

const accessSet = z.object({ id: userId })

const common = {
  method: 'POST',
  area: 'Administração',
  role: 'admin',
  reads: 'nothing',
  params,
  replies: { 200: accessSet },
} as const

/** Lasts until another decision, or a payment for a later date. */
export const accessEndpoints = {
  extend: endpoint({
    service: 'billing',
    ...common,
    path: '/api/admin/users/:id/extend',
    summary: 'Estende o acesso de um usuário até uma data.',
    body: extendBody,
  }),
  /** 'expired' ends access now; the others need access that lasts. */
  setStatus: endpoint({
    service: 'billing',
    ...common,
    path: '/api/admin/users/:id/status',
    summary: 'Define o status da assinatura de um usuário.',
    body: statusBody,
  }),
  remove: endpoint({
    service: 'billing',
    ...common,
    path: '/api/admin/users/:id/remove-access',
    summary: 'Encerra agora o acesso de um usuário.',
    body: removeBody,
  }),
}
