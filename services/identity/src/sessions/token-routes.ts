import { keysPath } from '@prosa/kernel/http/authentication/open-authenticator'
import { sessionTokenHeader } from '@prosa/kernel/http/authentication/session-token'
import { signingKeys } from '@prosa/kernel/http/authentication/signing-keys'
import { tokenIssuer } from '@prosa/kernel/http/authentication/token-issuer'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'

/**
 * For the gateway and the other services. Whoever comes here otherwise learns what they can learn with their cookie anyway, and public
 * keys.
 */
export const tokenRoutes = (
  ports: Pick<Ports, 'authenticator' | 'roles' | 'pool' | 'box' | 'clock'>,
): FastifyPluginAsync => {
  const issuer = tokenIssuer({ ...ports, keys: signingKeys(ports) })
  return async (app) => {
    // Never 401: what is open to visitors stays open, whatever their cookie is.
    app.get('/internal/authenticate', { schema: { hide: true } }, async ({ headers }, reply) => {
      const token = await issuer.tokenFor(headers)
      if (token !== undefined) reply.header(sessionTokenHeader, token)
      return reply.header('cache-control', 'no-store').code(204).send()
    })
    app.get(keysPath, { schema: { hide: true } }, async (_request, reply) => {
      reply.header('cache-control', 'no-store')
      return issuer.published()
    })
  }
}
