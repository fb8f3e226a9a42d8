import { z } from 'zod'
import { flowId } from '../flows/flow-document.ts'
import { flowLinkToken, userId } from '../values/ids.ts'
import { endpoint } from './endpoint.ts'
import { reason } from './reason.ts'

const params = z.object({ token: flowLinkToken })

const flowLink = z.object({
  token: flowLinkToken,
  url: z.string(),
  userId,
  flowId,
  isBlocked: z.boolean(),
  /** The flow was deleted. */
  isEnded: z.boolean(),
})

const decision = {
  method: 'POST',
  area: 'Administração',
  role: 'admin',
  reads: 'nothing',
  params,
  body: z.object({ reason }),
  replies: { 200: flowLink },
} as const

export const flowLinkEndpoints = {
  /** Redirects, or shows a page about the target or a dead link. */
  open: endpoint({
    service: 'automation',
    method: 'GET',
    path: '/r/:token',
    area: 'Automação',
    summary: 'Leva ao endereço que a mensagem de um fluxo tinha, e conta que foi aberto.',
    open: true,
    file: 'reply',
    replies: {},
  }),
  find: endpoint({
    service: 'automation',
    method: 'GET',
    path: '/api/admin/flow-links/:token',
    area: 'Administração',
    summary: 'Mostra aonde leva um link da mensagem de um fluxo, e de quem ele é.',
    role: 'admin',
    // The token alone shows as much.
    reads: 'nothing',
    params,
    replies: { 200: flowLink },
  }),
  block: endpoint({
    service: 'automation',
    ...decision,
    path: '/api/admin/flow-links/:token/block',
    summary: 'Bloqueia um link: quem o abre não passa do Prosa.',
  }),
  unblock: endpoint({
    service: 'automation',
    ...decision,
    path: '/api/admin/flow-links/:token/unblock',
    summary: 'Deixa um link bloqueado levar de novo ao seu endereço.',
  }),
}

export type FlowLinkShown = z.infer<typeof flowLink>
