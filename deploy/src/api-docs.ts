import swaggerUi from '@fastify/swagger-ui'
import type { Endpoint } from '@prosa/contracts/http/endpoint'
import { documentEndpoints, documentRoutes } from '@prosa/kernel/http/openapi'
import type { FastifyInstance } from 'fastify'

/** Hash of Swagger UI's only `<style>`; the browser tests fail if an update changes it. */
const itsStyle = "'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='"

/** `/api/docs` and `/api/docs/json`, by default of the routes that are registered later. */
export const serveApiDocs = async (app: FastifyInstance, endpoints?: readonly Endpoint[]): Promise<void> => {
  await (endpoints ? documentEndpoints(app, endpoints) : documentRoutes(app))
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    theme: { title: 'API do Prosa' },
    uiConfig: { docExpansion: 'none', defaultModelsExpandDepth: -1, validatorUrl: null },
    transformStaticCSP: (policy) => policy.replace("style-src 'self'", `style-src 'self' ${itsStyle}`),
  })
}
