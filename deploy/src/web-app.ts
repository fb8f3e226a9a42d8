import { existsSync } from 'node:fs'
import { join } from 'node:path'
import helmet from '@fastify/helmet'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'

const contentSecurityPolicy = {
  directives: {
    defaultSrc: ["'self'"],
    // MUI writes its styles into the page; everything else comes from files of ours.
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:', 'blob:'],
    connectSrc: ["'self'"],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
    upgradeInsecureRequests: null,
  },
}

const isPage = (url: string) =>
  !/^\/(api|socket\.io|health|assets)(\/|$)/.test(url) && !/\.[a-z0-9]+$/i.test(url.split('?')[0] ?? '')

/** Serves the built web app under every path that is a page, with security headers on everything. */
export const serveWebApp = async (app: FastifyInstance, folder: string): Promise<void> => {
  await app.register(helmet, { contentSecurityPolicy, strictTransportSecurity: { maxAge: 31_536_000 } })
  if (!existsSync(join(folder, 'index.html'))) throw new Error(`The web app is not built: ${folder} has no index.html.`)
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false,
    preCompressed: true,
    setHeaders: (reply, path) => {
      const immutable = path.includes('/assets/') || path.includes('\\assets\\')
      reply.setHeader('cache-control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  const page = (reply: FastifyReply) => reply.sendFile('index.html')
  app.get('/', (_, reply) => page(reply))
  app.get('/*', (request, reply) => (isPage(request.url) ? page(reply) : reply.callNotFound()))
}
