import { endpoint } from './endpoint.ts'

/** What people open who got a link in a message of a flow: it leads where the flow's message did, or to a page that says that it leads nowhere. */
export const flowLinkEndpoints = {
  open: endpoint({
    method: 'GET',
    path: '/r/:token',
    area: 'Automação',
    summary: 'Leva ao endereço que a mensagem de um fluxo tinha, e conta que foi aberto.',
    open: true,
    file: 'reply',
    replies: {},
  }),
}
