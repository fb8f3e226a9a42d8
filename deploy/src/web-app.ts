import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import swaggerUi from '@fastify/swagger-ui'
import type { Endpoint } from '@prosa/contracts/http/endpoint'
import { documentEndpoints, documentRoutes } from '@prosa/kernel/http/operation/openapi'
import { isPageAddress } from '@prosa/kernel/http/reading/page-address'
import { addSecurityHeaders, setContentSecurityPolicy } from '@prosa/kernel/http/security-headers'
import { sessionCookie } from '@prosa/kernel/http/sign-in/browser-sessions'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { serveEventsPage } from './events-page.ts'
import type { Landing, RenderedLanding } from './landing.ts'

/** Hash of Swagger UI's only `<style>`; the browser tests fail if an update changes it. */
const itsStyle = "'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='"

/** `/api/docs`, `/api/docs/json` and `/api/docs/eventos`, by default of the routes that are registered later. */
export const serveApiDocs = async (app: FastifyInstance, endpoints?: readonly Endpoint[]): Promise<void> => {
  await (endpoints ? documentEndpoints(app, endpoints) : documentRoutes(app))
  serveEventsPage(app)
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    theme: { title: 'API do Prosa' },
    uiConfig: { docExpansion: 'none', defaultModelsExpandDepth: -1, validatorUrl: null },
    transformStaticCSP: (policy) => policy.replace("style-src 'self'", `style-src 'self' ${itsStyle}`),
  })
}

/** Placeholder in index.html, replaced by a nonce per reply. */
const noncePlace = '__CSP_NONCE__'

const readIndex = (folder: string): Promise<string> =>
  readFile(join(folder, 'index.html'), 'utf8').catch((cause: unknown) => {
    throw new Error(`The web app is not built: ${folder} has no index.html.`, { cause })
  })

const isVisitor = ({ headers: { cookie = '' } }: FastifyRequest) =>
  !cookie.split(';').some((each) => each.trim().startsWith(`${sessionCookie}=`))

const sendPage = (page: RenderedLanding, landing: Landing, { headers }: FastifyRequest, reply: FastifyReply) => {
  setContentSecurityPolicy(reply, { styleSource: landing.styleSource })
  // Signed-in users get the app at the same address.
  reply.header('cache-control', 'no-cache').header('vary', 'cookie, accept-encoding').header('etag', page.etag)
  if (headers['if-none-match'] === page.etag) return reply.code(304).send()
  reply.type('text/html; charset=utf-8')
  const accepted = headers['accept-encoding'] ?? ''
  if (/\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(page.brotli)
  if (/\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(page.gzip)
  return reply.send(page.html)
}

/**
 * Serves the app under every page path, the landing page to visitors where the app has no screen, terms and privacy policy to everybody,
 * and the API docs; all with security headers. `documented`: endpoints of other processes.
 */
export const serveWebApp = async (
  app: FastifyInstance,
  folder: string,
  landing?: Landing,
  documented?: readonly Endpoint[],
): Promise<void> => {
  await addSecurityHeaders(app)
  await serveApiDocs(app, documented)
  const index = await readIndex(folder)
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false,
    preCompressed: true,
    // Its header would override ours.
    cacheControl: false,
    setHeaders: (reply, path) => {
      const immutable = path.includes('/assets/') || path.includes('\\assets\\')
      reply.setHeader('cache-control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  const page = async (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?')[0] ?? '/'
    const legal = landing?.legal.get(path)
    if (landing && legal) return sendPage(legal, landing, request, reply)
    if (landing && isVisitor(request) && landing.isAt(path))
      return sendPage(await landing.page(), landing, request, reply)
    const nonce = randomBytes(16).toString('base64')
    return setContentSecurityPolicy(reply, { styleSource: `'nonce-${nonce}'` })
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(index.replaceAll(noncePlace, nonce))
  }
  app.get('/', page)
  app.get('/*', (request, reply) => (isPageAddress(request.url) ? page(request, reply) : reply.callNotFound()))
}
