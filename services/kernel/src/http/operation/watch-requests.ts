import type { FastifyInstance } from 'fastify'
import { Histogram, type Registry } from 'prom-client'
import { type Work, workInProgress } from '../../observability/work-in-progress.ts'
// For its type declarations.
import type {} from '../reading/unchanged-polls.ts'

export interface Requests {
  /** e.g. `GET /api/whatsapp/contacts/:id` */
  inFlight(): string[]
  isFinishing(): boolean
  /** Each reply ends its connection; false on timeout. */
  finish(ms: number): Promise<boolean>
}

const bucketsSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** By route template: addresses contain ids. */
export const watchRequests = (app: FastifyInstance, registry: Registry): Requests => {
  const durations = new Histogram({
    name: 'prosa_http_request_duration_seconds',
    help: 'From the request to the end of the reply, by route template, method and class of status.',
    labelNames: ['route', 'method', 'status'] as const,
    buckets: bucketsSeconds,
    registers: [registry],
  })
  const inFlight = new Map<object, Work>()
  let isFinishing = false
  let onEmpty: () => void = () => undefined

  const forget = (request: object) => {
    const work = inFlight.get(request)
    if (!work) return
    inFlight.delete(request)
    workInProgress.end(work)
    if (inFlight.size === 0) onEmpty()
  }

  app.addHook('onRequest', async (request, reply) => {
    const route = `${request.method} ${request.routeOptions.url ?? 'unknown route'}`
    inFlight.set(request, workInProgress.begin(route, request.signedIn?.id))
    // No hook is called on disconnects.
    reply.raw.once('close', () => forget(request))
  })
  app.addHook('onSend', async (_, reply) => {
    if (isFinishing) reply.header('connection', 'close')
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    const status = `${Math.floor(reply.statusCode / 100)}xx`
    durations.observe({ route, method: request.method, status }, reply.elapsedTime / 1000)
    forget(request)
  })

  const unchanged = new Map<string, ReturnType<typeof durations.labels>>()
  app.unchangedPolls.onAnswered((route, ms) => {
    const known = unchanged.get(route) ?? durations.labels({ route, method: 'GET', status: '3xx' })
    unchanged.set(route, known)
    known.observe(ms / 1000)
  })

  return {
    inFlight: () => Array.from(inFlight.values(), ({ name }) => name),
    isFinishing: () => isFinishing,
    async finish(ms) {
      isFinishing = true
      app.server.close()
      if (inFlight.size === 0) return true
      return new Promise((resolve) => {
        const timer = setTimeout(() => resolve(false), ms)
        onEmpty = () => {
          clearTimeout(timer)
          resolve(true)
        }
      })
    },
  }
}
