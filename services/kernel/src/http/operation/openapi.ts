import fastifySwagger, { type StaticDocumentSpec } from '@fastify/swagger'
import { areas, type Endpoint } from '@prosa/contracts/http/endpoint'
import { cursorHeader, idempotencyKeyHeader, positionHeader, problem } from '@prosa/contracts/http/problem'
import fastify, { type FastifyInstance, type FastifySchema } from 'fastify'
import { jsonSchemaTransform, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { schemaOf } from '../route.ts'
import { sessionCookie } from '../sign-in/browser-sessions.ts'
import { codeExamples } from './code-examples.ts'

const about = `**A API pública** (\`/api/v1\`) é para o seu próprio programa: o que está nela só ganha campos e rotas. As outras rotas são das telas e mudam com elas.

Crie uma chave em Configurações → Integrações e envie-a em \`Authorization: Bearer prosa_…\`. Nos exemplos, \`PROSA_URL\` é o endereço do Prosa, \`PROSA_KEY\` a chave, \`REQUEST_ID\` um nome novo para cada pedido, por exemplo um UUID.

- Recusas são \`application/problem+json\`: \`type\` é um código que não muda, para programas; \`title\` uma frase, para pessoas.
- Comandos aceitam \`${idempotencyKeyHeader}\`: repetir um pedido com a mesma chave, em até 24 horas, nada muda e recebe a mesma resposta.
- Comandos respondem com \`${positionHeader}\`; quem o envia de volta num GET lê o que acabou de escrever.
- Listas da API pública têm \`nextCursor\`; as outras respondem com \`${cursorHeader}\` enquanto houver mais. O valor vai em \`?cursor=\`.
- Com chave, cada resposta diz em \`RateLimit-Limit\`, \`RateLimit-Remaining\` e \`RateLimit-Reset\` quantos pedidos cabem por minuto; além deles vem 429 com \`Retry-After\`, em segundos.

[Os eventos publicados](/api/docs/eventos), para analistas e webhooks, têm uma página própria.`

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

const admission = ({ role, key }: Endpoint): string | undefined => {
  if (key !== undefined) return `Exige uma chave com a permissão \`${key}\`.`
  return role === undefined ? undefined : `Exige o papel \`${role}\`.`
}

const explained = (endpoint: Endpoint): string | undefined => {
  const { method, path, example } = endpoint
  const parts = [admission(endpoint), example && codeExamples({ method, path, example })]
  return parts.filter((part) => part !== undefined).join('\n\n') || undefined
}

const describe = (endpoint: Endpoint, isCommand: boolean, schema: FastifySchema) => {
  const { area, summary, file } = endpoint
  return {
    ...schema,
    ...(file === 'body' ? fileBody : {}),
    ...(isCommand ? { headers: keyHeader } : {}),
    tags: [area],
    summary,
    description: explained(endpoint),
    security: securityOf(endpoint),
    response: { ...(file === 'reply' ? fileReply : (schema.response as object)), default: refusalReply },
  }
}

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
