import { kiwifyEndpoints } from '@prosa/contracts/http/accounts/kiwify'
import { type WebhookEndpoint, webhookEndpoint } from '@prosa/contracts/values/kiwify'
import { type Clock, later } from '@prosa/kernel/clock'
import type { RateLimit } from '@prosa/kernel/http/limits/rate-limits'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { SecretBox } from '@prosa/kernel/privacy/secret-box'
import type { FastifyPluginAsync, FastifyRequest, onErrorAsyncHookHandler } from 'fastify'
import { accepted, type BillingHandlers } from '../handlers.ts'
import { isSignedBy, signatureIn } from '../kiwify/signature.ts'

/** Current token per webhook, plus the next during replacement. */
export type KiwifyTokens = Readonly<Record<WebhookEndpoint, readonly string[]>>

export interface KiwifyRoutesDeps {
  handlers: Pick<BillingHandlers, 'deliveries'>
  box: Pick<SecretBox, 'fingerprint'>
  clock: Clock
  tokens: KiwifyTokens
  /** Retention of raw bytes. */
  retentionDays: number
  onError: onErrorAsyncHookHandler
}

const bodyLimitBytes = 256 * 1024
const dayMs = 24 * 3600 * 1000

/** Only wrong signatures: valid requests pass even from an attacking address. */
const limits: readonly RateLimit[] = [
  { per: 'address', max: 60, windowSeconds: 60, counts: 'failures', beyond: 'refuse' },
]

const bytesOf = ({ body }: Pick<FastifyRequest, 'body'>) => (Buffer.isBuffer(body) ? body : Buffer.alloc(0))

/** Compares the route, since URLs vary. */
export const endpointOf = ({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>): WebhookEndpoint | undefined =>
  webhookEndpoint.options.find((each) => kiwifyEndpoints[each].path === routeOptions.url)

/**
 * Outside `/api`: authenticated only by a signature over the raw bytes. Status 200 means the delivery is in the log, for later
 * interpretation.
 */
export const kiwifyRoutes =
  ({ handlers: { deliveries }, box, clock, tokens, retentionDays, onError }: KiwifyRoutesDeps): FastifyPluginAsync =>
  async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, bytes, done) => done(null, bytes))

    app.addHook('onError', onError)
    // After reading the size-limited body, before rate limits.
    app.addHook('preValidation', async (request) => {
      const endpoint = endpointOf(request)
      request.isSigned =
        endpoint !== undefined && isSignedBy(tokens[endpoint], bytesOf(request), signatureIn(request.url))
    })

    const receive = async (request: Pick<FastifyRequest, 'body' | 'isSigned' | 'id'>, endpoint: WebhookEndpoint) => {
      if (tokens[endpoint].length === 0) throw refuse('webhook_not_configured')
      if (!request.isSigned) throw refuse('webhook_signature_invalid')
      const bytes = bytesOf(request)
      const body = bytes.toString('base64')
      accepted(
        await deliveries(
          box.fingerprint(body, 'webhook delivery'),
          {
            type: 'ReceiveDelivery',
            data: { endpoint, body, bytes: bytes.length, expiresAt: later(clock.now(), retentionDays * dayMs) },
          },
          {
            commandId: request.id,
            presumedNew: true,
            actor: { kind: 'webhook', id: 'kiwify' },
            tenant: null,
            causationId: request.id,
            correlationId: request.id,
          },
        ),
      )
      return { received: true as const }
    }

    for (const endpoint of webhookEndpoint.options)
      route(app, kiwifyEndpoints[endpoint], { bodyLimit: bodyLimitBytes, config: { limits } }, (request) =>
        receive(request, endpoint),
      )
  }
