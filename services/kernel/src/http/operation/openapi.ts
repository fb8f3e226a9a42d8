import fastifySwagger, { type StaticDocumentSpec } from '@fastify/swagger'
import { areas, type Endpoint } from '@prosa/contracts/http/endpoint'
import { cursorHeader, idempotencyKeyHeader, positionHeader, problem } from '@prosa/contracts/http/problem'
import fastify, { type FastifyInstance, type FastifySchema } from 'fastify'
import { jsonSchemaTransform, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { schemaOf } from '../route.ts'
import { sessionCookie } from '../sign-in/browser-sessions.ts'

const about = `A API do Prosa, a mesma que as telas usam.

- Recusas são \`application/problem+json\`: \`type\` é para programas, \`title\` para pessoas.
- Comandos aceitam \`${idempotencyKeyHeader}\`: repetir um pedido com a mesma chave, em até 24 horas, nada muda e recebe a mesma resposta.
- Comandos respondem com \`${positionHeader}\`; quem o envia de volta num GET lê o que acabou de escrever.
- Listas respondem com \`${cursorHeader}\` enquanto houver mais; seu valor vai em \`?cursor=\`.`

const keyHeader = {
  type: 'object',
  properties: {
    'Idempotency-Key': {
      type: 'string',
      minLength: 1,
      maxLength: 200,
      description: 'Um nome só deste pedido, por exemplo um UUID novo.',
    },
  },
}

const refusalReply = {
  description: 'Recusa.',
  content: { 'application/problem+json': { schema: z.toJSONSchema(problem, { target: 'draft-2020-12' }) } },
}

const bytes = { type: 'string', format: 'binary' }
const fileBody = { consumes: ['application/octet-stream'], body: bytes }
const fileReply = { 200: { description: 'O arquivo.', content: { 'application/octet-stream': { schema: bytes } } } }

const securityOf = ({ open, key, alsoInBrowser }: Endpoint): Record<string, string[]>[] => {
  if (open) return []
  if (key === undefined) return [{ session: [] }]
  return alsoInBrowser ? [{ key: [] }, { session: [] }] : [{ key: [] }]
}

const describe = (endpoint: Endpoint, isCommand: boolean, schema: FastifySchema) => ({
  ...schema,
  ...(endpoint.file === 'body' ? fileBody : {}),
  ...(isCommand ? { headers: keyHeader } : {}),
  tags: [endpoint.area],
  summary: endpoint.summary,
  description: endpoint.role === undefined ? undefined : `Exige o papel \`${endpoint.role}\`.`,
  security: securityOf(endpoint),
  response: { ...(endpoint.file === 'reply' ? fileReply : (schema.response as object)), default: refusalReply },
})

/** Covers routes registered later that have an endpoint record. */
export const documentRoutes = async (app: FastifyInstance): Promise<void> => {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Prosa', version: '1', description: about },
      tags: Object.entries(areas).map(([name, description]) => ({ name, description })),
      components: {
        securitySchemes: {
          session: { type: 'apiKey', in: 'cookie', name: sessionCookie },
          key: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`Bearer prosa_…`' },
        },
      },
    },
    transform: (document) => {
      const { url, route } = document
      const endpoint = route.config?.endpoint
      if (!endpoint) return { schema: { hide: true }, url }
      const { schema } = jsonSchemaTransform({ ...document, schema: document.schema ?? {} })
      return { schema: describe(endpoint, route.method !== 'GET' && url.startsWith('/api/'), schema), url }
    },
  })
}

/** The same document for a process that has no routes of them. */
export const documentEndpoints = async (app: FastifyInstance, endpoints: readonly Endpoint[]): Promise<void> => {
  const described = fastify()
  described.setValidatorCompiler(validatorCompiler)
  described.setSerializerCompiler(serializerCompiler)
  await documentRoutes(described)
  for (const endpoint of endpoints) {
    const { method, path: url } = endpoint
    described.route({ method, url, config: { endpoint }, schema: schemaOf(endpoint), handler: async () => undefined })
  }
  await described.ready()
  const document = { paths: {}, ...described.swagger() } as StaticDocumentSpec['document']
  await described.close()
  await app.register(fastifySwagger, { mode: 'static', specification: { document } })
}
