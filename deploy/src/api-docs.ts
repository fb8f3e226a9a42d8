import swaggerUi from '@fastify/swagger-ui'
import { documentRoutes } from '@prosa/kernel/http/openapi'
import type { FastifyInstance } from 'fastify'

/** The one `<style>` element that Swagger UI writes into its page; the browser tests fail when another version changes it. */
const itsStyle = "'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='"

/** The API's own pages: `/api/docs` for people, `/api/docs/json` for programs. To be called before the routes are made. */
export const serveApiDocs = async (app: FastifyInstance): Promise<void> => {
  await documentRoutes(app)
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    theme: { title: 'API do Prosa' },
    uiConfig: { docExpansion: 'none', defaultModelsExpandDepth: -1, validatorUrl: null },
    transformStaticCSP: (policy) => policy.replace("style-src 'self'", `style-src 'self' ${itsStyle}`),
  })
}
