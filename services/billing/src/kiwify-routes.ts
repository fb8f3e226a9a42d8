import { kiwifyEndpoints } from '@prosa/contracts/http/kiwify'
import { type WebhookEndpoint, webhookEndpoint } from '@prosa/contracts/values/kiwify'
import { type Clock, later } from '@prosa/kernel/clock'
import { refuse } from '@prosa/kernel/http/problem'
import type { RateLimit } from '@prosa/kernel/http/rate-limits'
import { route } from '@prosa/kernel/http/route'
import type { SecretBox } from '@prosa/kernel/privacy/secret-box'
import type { FastifyPluginAsync, FastifyRequest, onErrorAsyncHookHandler } from 'fastify'
import { accepted, type BillingHandlers } from './handlers.ts'
import { isSignedBy, signatureIn } from './kiwify/signature.ts'

/** The current token of each webhook at Kiwify, and the next one while it is being replaced. */
export type KiwifyTokens = Readonly<Record<WebhookEndpoint, readonly string[]>>

export interface KiwifyRoutesDeps {
  handlers: Pick<BillingHandlers, 'deliveries'>
  box: Pick<SecretBox, 'fingerprint'>
  clock: Clock
  tokens: KiwifyTokens
  /** For how many days the raw bytes of a delivery are kept. */
  keptDays: number
  /** Takes note of what is refused. */
  onError: onErrorAsyncHookHandler
}

const bodyLimitBytes = 256 * 1024
const dayMs = 24 * 3600 * 1000

/** Wrong signatures only: what is signed rightly comes through, also from an address that many guesses come from. */
const limits: readonly RateLimit[] = [
  { per: 'address', max: 60, windowSeconds: 60, counts: 'failures', beyond: 'refuse' },
]

const bytesOf = ({ body }: Pick<FastifyRequest, 'body'>) => (Buffer.isBuffer(body) ? body : Buffer.alloc(0))

/** Which webhook a request came to, whatever its address looked like. */
export const endpointOf = ({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>): WebhookEndpoint | undefined =>
  webhookEndpoint.options.find((each) => kiwifyEndpoints[each].path === routeOptions.url)

/**
 * Where Kiwify reports payments: outside `/api`, as a server has neither a browser session nor an origin. What counts is the
 * signature over the raw bytes; what they mean is found out later, from what was stored. An answer with 200 means that the
 * delivery is in the log and needs not be sent again.
 */
export const kiwifyRoutes =
  ({ handlers: { deliveries }, box, clock, tokens, keptDays, onError }: KiwifyRoutesDeps): FastifyPluginAsync =>
  async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, bytes, done) => done(null, bytes))

    app.addHook('onError', onError)
    // The body is read, and no longer than it may be; limits are checked after this.
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
            data: { endpoint, body, bytes: bytes.length, expiresAt: later(clock.now(), keptDays * dayMs) },
          },
          {
            commandId: request.id,
            presumedNew: true,
            actor: { kind: 'webhook', id: 'kiwify' },
            owner: null,
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
