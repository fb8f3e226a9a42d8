import { z } from 'zod'
import { flowId } from '../flows/flow-document.ts'
import { flowLinkToken, userId } from '../values/ids.ts'
import { endpoint } from './endpoint.ts'
import { reason } from './reason.ts'

const params = z.object({ token: flowLinkToken })

/** One link of a message of a flow, as administrators see it. */
const flowLink = z.object({
  token: flowLinkToken,
  /** Where it leads. */
  url: z.string(),
  userId,
  flowId,
  isBlocked: z.boolean(),
  /** Its flow was deleted: it leads nowhere any more. */
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
  /**
   * What people open who got a link in a message of a flow: it leads where the flow's message did, or to a page that names the target
   * first, or to one that says that it leads nowhere.
   */
  open: endpoint({
    method: 'GET',
    path: '/r/:token',
    area: 'Automação',
    summary: 'Leva ao endereço que a mensagem de um fluxo tinha, e conta que foi aberto.',
    open: true,
    file: 'reply',
    replies: {},
  }),
  find: endpoint({
    method: 'GET',
    path: '/api/admin/flow-links/:token',
    area: 'Administração',
    summary: 'Mostra aonde leva um link da mensagem de um fluxo, e de quem ele é.',
    role: 'admin',
    // Whoever has the token sees as much without a role.
    reads: 'nothing',
    params,
    replies: { 200: flowLink },
  }),
  block: endpoint({
    ...decision,
    path: '/api/admin/flow-links/:token/block',
    summary: 'Bloqueia um link: quem o abre não passa do Prosa.',
  }),
  unblock: endpoint({
    ...decision,
    path: '/api/admin/flow-links/:token/unblock',
    summary: 'Deixa um link bloqueado levar de novo ao seu endereço.',
  }),
}

export type FlowLinkShown = z.infer<typeof flowLink>
