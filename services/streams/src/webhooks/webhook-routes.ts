import { webhookEndpoints } from '@prosa/contracts/http/webhooks'
import { catalogueEntry } from '@prosa/contracts/published/catalogue'
import { refusals } from '@prosa/contracts/refusals'
import { later } from '@prosa/kernel/clock'
import { deriveId } from '@prosa/kernel/derive-id'
import { replyPosition } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import type { RateLimit } from '@prosa/kernel/http/limits/rate-limits'
import { namesForbiddenAddress, type Reach } from '@prosa/kernel/http/outbound/outbound'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { findCalls, isCallOf } from './queries.ts'
import type { Webhook, WebhookCommand } from './webhook.ts'
import type { WebhookHandler } from './webhook-handler.ts'
import type { WebhookSecrets } from './webhook-secrets.ts'

/** Each sends something, or leaves an event. */
const limits: readonly RateLimit[] = [
  { per: 'user', max: 60, windowSeconds: 60 * 60, counts: 'requests', beyond: 'refuse' },
]
const formerSignsMs = 24 * 3_600_000

type AddressRefusal =
  | 'webhook_address_unreadable'
  | 'webhook_address_not_https'
  | 'webhook_address_has_password'
  | 'webhook_address_private'

/** Why an address is refused at once; what its name leads to is checked at each request. */
const refusalOfAddress = (address: string, reach: Reach): AddressRefusal | undefined => {
  if (!URL.canParse(address)) return 'webhook_address_unreadable'
  const url = new URL(address)
  if (!/^https?:$/.test(url.protocol) || url.hostname === '') return 'webhook_address_unreadable'
  if (url.protocol !== 'https:' && reach === 'public') return 'webhook_address_not_https'
  if (url.username !== '' || url.password !== '') return 'webhook_address_has_password'
  return namesForbiddenAddress(url, reach) ? 'webhook_address_private' : undefined
}

interface Deps extends Pick<Ports, 'pool' | 'clock'> {
  handle: WebhookHandler
  secrets: WebhookSecrets
  reach: Reach
}

export const webhookRoutes =
  ({ handle, secrets, reach, pool, clock }: Deps): FastifyPluginAsync =>
  async (app) => {
    const config = { limits }

    const run = async (request: FastifyRequest, reply: FastifyReply, command: WebhookCommand) => {
      const outcome = await handle(request.user.id, command, commandContext(request))
      if (!outcome.ok) throw refuse(outcome.rejected)
      replyPosition(reply, outcome.position)
      return outcome.state
    }
    const existing = async ({ user }: FastifyRequest, id: string): Promise<Webhook> => {
      const webhook = (await handle.load(user.id, user.id)).existing.get(id)
      if (!webhook) throw refuse('webhook_not_found')
      return webhook
    }
    const checked = <S extends { address: string; types: string[] }>(settings: S): S => {
      const refusal = refusalOfAddress(settings.address, reach)
      if (refusal) throw refuse(refusal, [{ field: 'address', message: refusals[refusal].title }])
      if (settings.types.some((type) => !catalogueEntry(type))) throw refuse('stream_type_unknown')
      return { ...settings, types: [...new Set(settings.types)].sort() }
    }

    route(app, webhookEndpoints.add, { config }, async (request, reply) => {
      const webhookId = deriveId('webhook', request.command.id)
      const secretId = deriveId('webhook secret', request.command.id)
      await run(request, reply, { type: 'AddWebhook', data: { ...checked(request.body), webhookId, secretId } })
      return reply.code(201).send({ id: webhookId, secret: await secrets.shown(request.user.id, webhookId, secretId) })
    })
    route(app, webhookEndpoints.revise, { config }, async (request, reply) => {
      const { id } = request.params
      await existing(request, id)
      await run(request, reply, { type: 'ReviseWebhook', data: { ...checked(request.body), webhookId: id } })
      return { id }
    })
    route(app, webhookEndpoints.rotate, { config }, async (request, reply) => {
      const { id } = request.params
      const secretId = deriveId('webhook secret', request.command.id)
      const formerUntil = later(clock.now(), formerSignsMs)
      await run(request, reply, { type: 'RotateWebhookSecret', data: { webhookId: id, secretId, formerUntil } })
      return { id, secret: await secrets.shown(request.user.id, id, secretId) }
    })
    route(app, webhookEndpoints.pause, async (request, reply) => {
      const { id } = request.params
      await run(request, reply, { type: 'PauseWebhook', data: { webhookId: id } })
      return { id }
    })
    route(app, webhookEndpoints.resume, async (request, reply) => {
      const { id } = request.params
      await run(request, reply, { type: 'ResumeWebhook', data: { webhookId: id } })
      return { id }
    })
    route(app, webhookEndpoints.remove, async (request, reply) => {
      const { id } = request.params
      await run(request, reply, { type: 'RemoveWebhook', data: { webhookId: id } })
      return { id }
    })
    route(app, webhookEndpoints.test, { config }, async (request, reply) => {
      const { id } = request.params
      await run(request, reply, { type: 'RequestWebhookTest', data: { webhookId: id } })
      return reply.code(202).send({ id })
    })
    route(app, webhookEndpoints.repeat, { config }, async (request, reply) => {
      const { id } = request.params
      const { eventId } = request.body
      await existing(request, id)
      if (eventId !== null && !(await isCallOf(pool, request.user.id, id, eventId)))
        throw refuse('webhook_call_not_found')
      await run(request, reply, { type: 'RequestWebhookRepeat', data: { webhookId: id, eventId } })
      return reply.code(202).send({ id })
    })
    route(app, webhookEndpoints.calls, async (request) => {
      const { id: webhookId } = request.params
      await existing(request, webhookId)
      return findCalls(pool, { tenant: request.user.id, webhookId, ...request.query })
    })
  }
