import type { FastifyInstance } from 'fastify'
import { mayChange } from './api-request.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its body is a file: it may take as long as the server allows at all. */
    takesFile?: true
  }
}

/** Who sends a body a byte at a time is cut off; files may take longer. */
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
