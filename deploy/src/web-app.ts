import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { serveApiDocs } from './api-docs.ts'
import { addSecurityHeaders, setContentSecurityPolicy } from './security-headers.ts'

/** What stands in index.html where each reply gets a nonce of its own. */
const noncePlace = '__CSP_NONCE__'

const isPage = (url: string) =>
  !/^\/(api|socket\.io|health|assets)(\/|$)/.test(url) && !/\.[a-z0-9]+$/i.test(url.split('?')[0] ?? '')

const readIndex = (folder: string): Promise<string> =>
  readFile(join(folder, 'index.html'), 'utf8').catch((cause: unknown) => {
    throw new Error(`The web app is not built: ${folder} has no index.html.`, { cause })
  })

/** Serves the built web app under every path that is a page, and the API's own pages; security headers on everything. */
export const serveWebApp = async (app: FastifyInstance, folder: string): Promise<void> => {
  await addSecurityHeaders(app)
  await serveApiDocs(app)
  const index = await readIndex(folder)
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false,
    preCompressed: true,
    // Its own would win over ours.
    cacheControl: false,
    setHeaders: (reply, path) => {
      const immutable = path.includes('/assets/') || path.includes('\\assets\\')
      reply.setHeader('cache-control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  const page = (reply: FastifyReply) => {
    const nonce = randomBytes(16).toString('base64')
    return setContentSecurityPolicy(reply, nonce)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(index.replaceAll(noncePlace, nonce))
  }
  app.get('/', (_, reply) => page(reply))
  app.get('/*', (request, reply) => (isPage(request.url) ? page(reply) : reply.callNotFound()))
}
