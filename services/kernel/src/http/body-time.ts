import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its body is a file: it may take as long as the server allows at all. */
    takesFile?: true
  }
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Who sends a body a byte at a time is cut off; files may take longer. */
export const limitBodyTime = (app: FastifyInstance, milliseconds: number): void => {
  app.addHook('preParsing', async ({ method, raw, routeOptions }) => {
    if (safeMethods.has(method) || routeOptions.config?.takesFile || raw.readableEnded) return
    const cut = setTimeout(() => raw.destroy(), milliseconds)
    const done = () => clearTimeout(cut)
    raw.once('end', done)
    raw.once('close', done)
  })
}
