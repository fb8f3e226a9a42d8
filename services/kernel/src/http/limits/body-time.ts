import type { FastifyInstance } from 'fastify'
import { mayChange } from '../api-request.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    takesFile?: true
  }
}

/** Cuts off slow senders, except of files. */
export const limitBodyTime = (app: FastifyInstance, ms: number): void => {
  app.addHook('preParsing', async (request) => {
    const { raw, routeOptions } = request
    if (!mayChange(request) || routeOptions.config?.takesFile || raw.readableEnded) return
    const cut = setTimeout(() => raw.destroy(), ms)
    const done = () => clearTimeout(cut)
    raw.once('end', done)
    raw.once('close', done)
  })
}
