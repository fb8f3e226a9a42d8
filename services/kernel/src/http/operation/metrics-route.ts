import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Metrics } from '../../observability/metrics.ts'

const loopback = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
const ownNames = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/
const forwarding = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

/** Proxied requests and DNS rebinding also come from loopback, but with other headers. */
const isFromHere = ({ socket, headers }: FastifyRequest): boolean =>
  loopback.test(socket.remoteAddress ?? '') &&
  ownNames.test(headers.host ?? '') &&
  !forwarding.some((name) => name in headers)

const digest = (text: string) => createHash('sha256').update(text).digest()

const bears = ({ headers }: FastifyRequest, token: string): boolean =>
  timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`))

/** 404 without access. */
export const metricsRoute = (app: FastifyInstance, metrics: Metrics, token: string | undefined): void => {
  app.get('/metrics', async (request, reply) => {
    if (!isFromHere(request) && !(token && bears(request, token))) return reply.callNotFound()
    return reply
      .header('cache-control', 'no-store')
      .type(metrics.contentType)
      .send(await metrics.text())
  })
}
