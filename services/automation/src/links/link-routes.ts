import { flowLinkEndpoints } from '@prosa/contracts/http/flow-links'
import { deriveId } from '@prosa/kernel/derive-id'
import { commandHandler } from '@prosa/kernel/domain/command-handler'
import type { RateLimit } from '@prosa/kernel/http/rate-limits'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { openedLinks } from './opened-links.ts'
import { type FoundLink, findLink } from './queries.ts'

const limits: readonly RateLimit[] = [
  { per: 'address', max: 30, windowSeconds: 60, counts: 'failures', beyond: 'refuse' },
  { per: 'address', max: 300, windowSeconds: 60, counts: 'requests', beyond: 'refuse' },
]

const tokenShape = /^[\w-]{16,64}$/

/** Programs that look at a link to show a preview of it, WhatsApp's own first. */
const previewer =
  /^WhatsApp\/|facebookexternalhit|Facebot|TelegramBot|Slackbot|Discordbot|bot\b|crawler|spider|preview/i

const isPerson = ({ method, headers }: FastifyRequest): boolean =>
  method !== 'HEAD' && !previewer.test(headers['user-agent'] ?? '') && headers['sec-purpose'] === undefined

/** Only what a browser opens as a page: what a flow's message held once was checked before, and is checked again. */
const addressOf = (url: string | undefined): string | undefined => {
  if (url === undefined || !URL.canParse(url)) return undefined
  const { protocol, href } = new URL(url)
  return protocol === 'http:' || protocol === 'https:' ? href : undefined
}

const nowhere = `<!doctype html>
<html lang="pt-BR">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">
<title>Link não encontrado</title></head>
<body><main><h1>Este link não leva mais a lugar nenhum</h1>
<p>Confira se ele está completo, ou peça um novo a quem o enviou.</p></main></body>
</html>
`

/**
 * The links of flows' messages: they lead where the message did, and that they were opened is recorded once. Outside `/api`, as
 * people open them who have no session here.
 */
export const linkRoutes =
  ({ pool, store, codec, clock, log }: Pick<Ports, 'pool' | 'store' | 'codec' | 'clock' | 'log'>): FastifyPluginAsync =>
  async (app) => {
    const base = { store, codec, clock, category: 'flowRun', foreign: 'flow_run_not_found' } as const
    const runs = commandHandler({ ...base, decider: openedLinks })

    const count = async (
      { contactId, owner, flowId, version, runId, nodeId }: FoundLink,
      token: string,
      id: string,
    ) => {
      const data = { flowId, version, runId, nodeId, token }
      await runs(
        contactId,
        { type: 'OpenLink', data },
        {
          commandId: deriveId('open link', token),
          actor: { kind: 'system', id: 'flow-link' },
          owner,
          causationId: id,
          correlationId: id,
        },
      )
    }

    route(app, flowLinkEndpoints.open, { config: { limits } }, async (request, reply) => {
      const { token } = request.params
      const link = tokenShape.test(token) ? await findLink(pool, token) : undefined
      const address = addressOf(link?.url)
      reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
      if (!link || address === undefined) return reply.code(404).type('text/html; charset=utf-8').send(nowhere)
      if (isPerson(request))
        // Whoever opens a link gets there, whether it can be counted now or not.
        await count(link, token, request.id).catch((error) =>
          log.warn({ err: error, correlationId: request.id }, 'an opened link was not counted'),
        )
      return reply.redirect(address, 302)
    })
  }
