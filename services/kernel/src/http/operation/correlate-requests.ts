import type { FastifyInstance } from 'fastify'
import { correlated } from '../../observability/correlation.ts'
import { beginSpan } from '../../observability/tracing.ts'

/** Must precede all other hooks. */
export const correlateRequests = (app: FastifyInstance): void => {
  app.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    const about = { 'http.request.method': request.method, 'http.route': route }
    const span = beginSpan(`${request.method} ${route}`, about, request.id, () => correlated(request.id, done))
    if (!span) return
    reply.raw.once('close', () => {
      const { statusCode, writableFinished } = reply.raw
      span.end({ 'http.response.status_code': statusCode }, statusCode >= 500 || !writableFinished)
    })
  })
}
