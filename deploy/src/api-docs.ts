import swaggerUi from '@fastify/swagger-ui'
import { documentRoutes } from '@prosa/kernel/http/operation/openapi'
import type { FastifyInstance } from 'fastify'

/** Hash of Swagger UI's only `<style>`; the browser tests fail if an update changes it. */
const itsStyle = "'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='"

/** `/api/docs` and `/api/docs/json`. Must be called before routes are registered. */
export const serveApiDocs = async (app: FastifyInstance): Promise<void> => {
  await documentRoutes(app)
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    theme: { title: 'API do Prosa' },
    uiConfig: { docExpansion: 'none', defaultModelsExpandDepth: -1, validatorUrl: null },
    transformStaticCSP: (policy) => policy.replace("style-src 'self'", `style-src 'self' ${itsStyle}`),
  })
}
