import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance } from 'fastify'

const current = new AsyncLocalStorage<string | undefined>()

/** What the work of this moment belongs to: one request, or the event that came of one. */
export const correlationId = (): string | undefined => current.getStore()

/** Everything that `work` starts belongs to this id; the lines that it logs carry it, however deep. */
export const correlated = <T>(id: string, work: () => T): T => current.run(id, work)

/** For what serves many requests at once, such as a connection that is lost: its lines belong to none of them. */
export const uncorrelated = <T>(work: () => T): T => current.run(undefined, work)

/** Lines that are logged while a request is answered carry its id. To be called before any other hook is added. */
export const correlateRequests = (app: FastifyInstance): void => {
  app.addHook('onRequest', (request, _, done) => correlated(request.id, done))
}
