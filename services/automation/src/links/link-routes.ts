import { flowLinkEndpoints } from '@prosa/contracts/http/flow-links'
import { flowLinkToken } from '@prosa/contracts/values/ids'
import { deriveId } from '@prosa/kernel/derive-id'
import { commandHandler } from '@prosa/kernel/domain/command-handler'
import type { RateLimit } from '@prosa/kernel/http/limits/rate-limits'
import { route } from '@prosa/kernel/http/route'
import { setContentSecurityPolicy } from '@prosa/kernel/http/security-headers'
import type { Ports } from '@prosa/product/ports'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { FlowHandlers } from '../flow-handlers.ts'
import { isKnownAccount } from './known-trust.ts'
import { endedPage, type LinkEnd, linkPageStyleSource, targetPage } from './link-pages.ts'
import { openedLinks } from './opened-links.ts'
import { type FoundLink, findLink } from './queries.ts'

const limits: readonly RateLimit[] = [
  { per: 'address', max: 30, windowSeconds: 60, counts: 'failures', beyond: 'refuse' },
  { per: 'address', max: 300, windowSeconds: 60, counts: 'requests', beyond: 'refuse' },
]

/** Bots that open links to show previews. */
const previewer =
  /^WhatsApp\/|facebookexternalhit|Facebot|TelegramBot|Slackbot|Discordbot|bot\b|crawler|spider|preview/i

const isPerson = ({ method, headers }: FastifyRequest): boolean =>
  method !== 'HEAD' && !previewer.test(headers['user-agent'] ?? '') && headers['sec-purpose'] === undefined

/** Checked again, although checked on sending. */
const addressOf = (url: string): string | undefined => {
  if (!URL.canParse(url)) return undefined
  const { protocol, href } = new URL(url)
  return protocol === 'http:' || protocol === 'https:' ? href : undefined
}

type Deps = Pick<Ports, 'pool' | 'store' | 'codec' | 'clock' | 'log' | 'entitlements'> &
  Pick<FlowHandlers, 'flows' | 'trust'>

type Target = { end: LinkEnd } | { link: FoundLink; href: string; isNamedFirst: boolean }

/**
 * A link ends with its flow and its tenant's access; blocking takes effect at once, as nothing is cached. Untrusted tenants' links show
 * their target first (docs/decisions/0056-transfers-and-links.md).
 */
const targetOf = async ({ pool, flows, trust, entitlements }: Deps, token: string): Promise<Target> => {
  const link = flowLinkToken.safeParse(token).success ? await findLink(pool, token) : undefined
  const href = link && addressOf(link.url)
  if (!link || href === undefined) return { end: 'unknown' }
  const { tenant, flowId } = link
  const { status, blockedLinks } = await flows.load(flowId, tenant)
  if (blockedLinks.includes(token)) return { end: 'blocked' }
  if (status !== 'standing') return { end: 'ended' }
  const { access, afterEnd } = await entitlements.of(tenant)
  if (access === 'ended') return { end: 'ended' }
  // Without paid access the business hosts Prosa itself.
  const isNamedFirst = afterEnd !== 'unchanged' && !isKnownAccount(await trust.load(tenant, tenant))
  return { link, href, isNamedFirst }
}

const withHeaders = (reply: FastifyReply): FastifyReply =>
  setContentSecurityPolicy(reply, { styleSource: linkPageStyleSource })
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .header('x-frame-options', 'DENY')
    .header('x-robots-tag', 'noindex')

/** Records the first opening. Outside `/api`: visitors have no session. */
export const linkRoutes =
  (deps: Deps): FastifyPluginAsync =>
  async (app) => {
    const { store, codec, clock, log } = deps
    const base = {
      store,
      codec,
      clock,
      service: 'automation',
      category: 'flowRun',
      foreign: 'flow_run_not_found',
    } as const
    const runs = commandHandler({ ...base, decider: openedLinks })

    const count = async (
      { contactId, tenant, flowId, version, runId, nodeId }: FoundLink,
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
          tenant,
          causationId: id,
          correlationId: id,
        },
      )
    }

    route(app, flowLinkEndpoints.open, { config: { limits } }, async (request, reply) => {
      const { token } = request.params
      const target = await targetOf(deps, token)
      withHeaders(reply)
      if ('end' in target) {
        const { status, html } = endedPage(target.end)
        return reply.code(status).type('text/html; charset=utf-8').send(html)
      }
      const { link, href, isNamedFirst } = target
      // Opening counts even if the target is only shown.
      if (isPerson(request))
        // The redirect works even if uncounted.
        await count(link, token, request.id).catch((error) =>
          log.warn({ err: error, correlationId: request.id }, 'an opened link was not counted'),
        )
      if (isNamedFirst) return reply.type('text/html; charset=utf-8').send(targetPage(href))
      return reply.redirect(href, 302)
    })
  }
