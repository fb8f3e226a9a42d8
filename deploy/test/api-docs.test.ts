import { endpoints } from '@prosa/contracts/http/endpoints'
import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { serveApiDocs } from '../src/web-app.ts'
import { type Product, startProduct } from './product.ts'

const media = z.record(z.string(), z.object({ schema: z.record(z.string(), z.unknown()) }))
const parameter = z.object({
  name: z.string(),
  in: z.enum(['query', 'path', 'header', 'cookie']),
  required: z.boolean().optional(),
  schema: z.record(z.string(), z.unknown()),
})
const operation = z.object({
  tags: z.array(z.string()).min(1),
  summary: z.string().min(1),
  parameters: z.array(parameter).default([]),
  requestBody: z.object({ content: media }).optional(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  responses: z.record(z.string().regex(/^(default|[1-5]\d\d)$/), z.object({ description: z.string(), content: media })),
})
/** The parts of OpenAPI 3.1 that we use, as strict as the standard. */
const openApi = z.object({
  openapi: z.string().regex(/^3\.1\.\d$/),
  info: z.object({ title: z.string().min(1), version: z.string().min(1) }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  components: z.object({
    securitySchemes: z.record(z.string(), z.object({ type: z.literal('apiKey'), in: z.string() })),
  }),
  paths: z.record(
    z.string().regex(/^\//),
    z.record(z.enum(['get', 'post', 'put', 'patch', 'delete']).or(z.string()), operation),
  ),
})

let product: Product
let document: z.infer<typeof openApi>

beforeAll(async () => {
  product = await startProduct()
  document = openApi.parse((await product.visitor().ask('GET', '/api/docs/json')).body)
}, 60_000)
afterAll(() => product?.stop())

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => ({ path, method: method.toUpperCase(), ...each })),
  )
const nameOf = ({ method, path }: { method: string; path: string }) =>
  `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`

describe('the document of the API', () => {
  it('is the same where a process serves it that has none of the routes', async () => {
    const app = fastify()
    await serveApiDocs(app, endpoints)
    const sorted = ({ paths, ...rest }: z.infer<typeof openApi>) => ({ ...rest, paths: Object.entries(paths).sort() })
    expect(sorted((await app.inject('/api/docs/json')).json())).toEqual(
      sorted((await product.visitor().get('/api/docs/json')) as z.infer<typeof openApi>),
    )
    await app.close()
  })

  it('describes every route of the product, with what it answers', () => {
    const routes = product.routes
      .filter(({ method, url }) => /^\/(kiwify|api|r)\/(?!docs)/.test(url) && method !== 'HEAD')
      .map(({ method, url }) => `${method} ${url}`)
    expect(operations().map(nameOf).sort()).toEqual([...new Set(routes)].sort())
    expect(endpoints.map(nameOf).sort()).toEqual([...new Set(routes)].sort())
    for (const each of operations()) {
      const success = Object.entries(each.responses).filter(([status]) => /^2/.test(status))
      expect([nameOf(each), success.length]).toEqual([nameOf(each), 1])
      const [[, reply] = ['', undefined]] = success
      const [content] = Object.values(reply?.content ?? {})
      expect(Object.keys(content?.schema ?? {}), nameOf(each)).not.toEqual([])
    }
  })

  it('names every part of a path, gives every operation a chapter that exists, and explains refusals', () => {
    for (const each of operations()) {
      const inPath = each.parameters.filter((part) => part.in === 'path')
      expect(inPath.map(({ name }) => `{${name}}`)).toEqual(each.path.match(/\{\w+\}/g) ?? [])
      expect(inPath.every(({ required }) => required)).toBe(true)
      expect(document.tags.map(({ name }) => name)).toEqual(expect.arrayContaining(each.tags))
      expect(each.responses.default?.content['application/problem+json']?.schema.required).toContain('title')
    }
  })

  it('states for every command, and for nothing else, that it takes an idempotency key', () => {
    for (const each of operations()) {
      const takesKey = each.parameters.some(({ name }) => name === 'Idempotency-Key')
      const isCommand = each.method !== 'GET' && each.path.startsWith('/api/')
      expect([nameOf(each), takesKey]).toEqual([nameOf(each), isCommand])
    }
  })

  it('states truly which routes need somebody who is signed in', async () => {
    const visitor = product.visitor()
    for (const each of operations()) {
      const closed = each.security.length > 0
      for (const name of each.security.flatMap(Object.keys))
        expect(document.components.securitySchemes).toHaveProperty(name)
      const { body } = await visitor.ask<{ type?: string } | undefined>(
        each.method,
        each.path.replace('{id}', 'x'),
        each.method === 'GET' ? undefined : {},
      )
      const needed = each.security.some((scheme) => 'key' in scheme) ? 'key_required' : 'not_signed_in'
      expect([nameOf(each), body?.type === needed]).toEqual([nameOf(each), closed])
    }
  })

  it('has a page for people, with scripts and styles of its own only', async () => {
    const { body, headers } = await product.visitor().ask<string>('GET', '/api/docs/')
    expect(headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(body).toContain('API do Prosa')
    expect(body.match(/(src|href)="(?!\.?\/)/g)).toBeNull()
    expect(body).not.toMatch(/<style|style=|<script>/)
  })
})
