import { connect } from 'node:net'
import { idempotencyKeyHeader } from '@prosa/contracts/http/problem'
import { anyCharacter } from '@prosa/kernel/testing/any-character'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Product, startProduct } from './product.ts'
import type { Visitor } from './visitor.ts'

let product: Product
let tenant: Visitor
let ids: string[]

beforeAll(async () => {
  product = await startProduct()
  tenant = await product.visitor().register()
  const [connection, contact] = await Promise.all([
    tenant.post<{ id: string }>('/api/whatsapp/connections', { name: 'Loja' }),
    tenant.post<{ id: string }>('/api/whatsapp/contacts', { phone: '5511988776655' }),
  ])
  ids = [connection.id, contact.id]
}, 60_000)
afterAll(() => product?.stop())

const routes = () =>
  product.routes.filter(({ method, url }) => /^\/(kiwify|api|r)\/(?!docs|auth\/logout)/.test(url) && method !== 'HEAD')

const oddTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\u202e',
  '%',
  '../..',
  "'; drop table es.event; --",
  'é'.repeat(300),
  '9'.repeat(40),
]
const text = () => fc.oneof(fc.constantFrom(...oddTexts, ...ids), fc.string({ unit: anyCharacter, maxLength: 40 }))
const value = () => fc.oneof({ weight: 3, arbitrary: text() }, fc.jsonValue({ maxDepth: 3 }))
const fields =
  'firstName lastName email password phone name message connectionId contactId messageId status token reason'
const names = [...fields.split(' '), 'currentPassword', 'newPassword', '__proto__', 'constructor']

/** As text, because a JavaScript object cannot have a field `__proto__`. */
const shaped = () =>
  fc
    .array(fc.tuple(fc.constantFrom(...names), value()), { maxLength: 6 })
    .map((pairs) => `{${pairs.map(([name, each]) => `${JSON.stringify(name)}:${JSON.stringify(each)}`).join()}}`)
const nested = () => fc.integer({ min: 30, max: 20_000 }).map((levels) => ({ levels }))
const writtenOut = (body: string | { levels: number } | { letters: number }): string => {
  if (typeof body === 'string') return body
  if ('levels' in body) return '['.repeat(body.levels) + ']'.repeat(body.levels)
  return JSON.stringify({ name: 'a'.repeat(body.letters) })
}
const bodies = () =>
  fc.oneof(
    { weight: 5, arbitrary: shaped() },
    fc.json(),
    nested(),
    text(),
    fc.constant('{"a":'),
    fc.constant({ letters: 70_000 }),
  )

const headerText = () =>
  fc.string({
    unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code === 0x7f ? 0xff : code)),
  })
const headers = () =>
  fc.record(
    {
      'content-type': fc.constantFrom(
        'application/json',
        'application/json; charset=x',
        'text/plain',
        'multipart/form-data',
      ),
      [idempotencyKeyHeader]: headerText(),
      cookie: fc.oneof(
        fc.constantFrom('', ';', '=;=', '__Host-prosa=', '__Host-prosa-browser=a.b', `a=${'b'.repeat(4000)}`),
        fc.constant(tenant.cookie ?? ''),
      ),
      origin: fc.constantFrom('null', 'https://evil.example', product.url),
      'if-none-match': headerText(),
      'x-forwarded-for': headerText(),
      accept: headerText(),
    },
    { requiredKeys: [] },
  )

const encoded = (each: string) => encodeURIComponent(each.replaceAll(/\p{Surrogate}/gu, '?'))
const requests = () =>
  fc.record({
    route: fc.constantFrom(...routes()),
    id: fc.oneof(fc.constantFrom(...ids), text()),
    query: fc.array(fc.tuple(fc.constantFrom('status', 'search', 'cursor', 'x', '__proto__'), text()), {
      maxLength: 4,
    }),
    headers: headers(),
    body: bodies(),
  })

type Hostile = ReturnType<typeof requests> extends fc.Arbitrary<infer R> ? R : never

const answerTo = async ({ route, id, query, headers: given, body }: Hostile) => {
  const search = query.map(([name, each]) => `${name}=${encoded(each)}`).join('&')
  const url = `${product.url}${route.url.replace(':id', encoded(id) || '-')}?${search}`
  const response = await fetch(url, {
    method: route.method,
    headers: { cookie: tenant.cookie ?? '', 'content-type': 'application/json', ...given },
    body: route.method === 'GET' ? undefined : writtenOut(body),
    signal: AbortSignal.timeout(10_000),
  })
  return {
    asked: `${route.method} ${url}`,
    status: response.status,
    type: response.headers.get('content-type'),
    text: await response.text(),
  }
}

const sendRaw = (bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const received: Buffer[] = []
    const socket = connect(Number(new URL(product.url).port), '127.0.0.1', () => socket.end(bytes))
    socket.on('data', (data) => received.push(data))
    socket.on('error', reject)
    socket.on('close', () => resolve(Buffer.concat(received).toString()))
  })

describe('a hostile request', () => {
  it('is refused in words or served, whatever it holds: never trouble of our own, never a reply that hangs', async () => {
    let asked = 0
    await fc.assert(
      fc.asyncProperty(fc.array(requests(), { minLength: 8, maxLength: 8 }), async (many) => {
        for (const { asked: what, status, type, text: reply } of await Promise.all(many.map(answerTo))) {
          asked += 1
          expect(status, `${reply} ${what}`).toBeLessThan(500)
          if (status === 404 && type?.startsWith('text/html')) expect(what).toMatch(/^GET \S+\/r\//)
          else if (status >= 400)
            expect([type, JSON.parse(reply).title]).toEqual([
              expect.stringContaining('problem+json'),
              expect.any(String),
            ])
        }
      }),
      { numRuns: 400, interruptAfterTimeLimit: 4000 },
    )
    expect(asked).toBeGreaterThan(0)
  })

  it('leaves the product at work', async () => {
    const { id } = await tenant.post<{ id: string }>('/api/whatsapp/connections', { name: 'Depois' })
    expect((await tenant.connections()).map((each) => each.id)).toContain(id)
    expect(await tenant.get('/api/whatsapp/contact-counts')).toBeTruthy()
    expect(Object.prototype).not.toHaveProperty('polluted')
    const { body } = await tenant.ask<{ ready: boolean; trouble: object }>('GET', '/health/ready')
    expect(body).toMatchObject({ ready: true, trouble: {} })
  })

  it.each([
    [
      'nests deeper than 32 levels',
      `{"name":${'['.repeat(40)}${']'.repeat(40)}}`,
      400,
      'O conteúdo enviado tem níveis demais.',
    ],
    [
      'poisons prototypes',
      '{"name":"a","__proto__":{"polluted":true}}',
      400,
      'Não foi possível entender o conteúdo enviado.',
    ],
    [
      'poisons constructors',
      '{"constructor":{"prototype":{"polluted":true}}}',
      400,
      'Não foi possível entender o conteúdo enviado.',
    ],
    ['holds text that no database keeps', '{"name":"a\\u0000b"}', 400, 'Não foi possível entender o conteúdo enviado.'],
    ['holds half a character', '{"name":"\\ud800"}', 400, 'Não foi possível entender o conteúdo enviado.'],
    ['is larger than 64 kB', JSON.stringify({ name: 'a'.repeat(66_000) }), 413, 'O conteúdo enviado é grande demais.'],
  ])('is refused when its body %s', async (_, body, status, title) => {
    const response = await fetch(`${product.url}/api/whatsapp/connections`, {
      method: 'POST',
      headers: { cookie: tenant.cookie ?? '', 'content-type': 'application/json' },
      body,
    })
    expect([response.status, (await response.json()).title]).toEqual([status, title])
  })

  it('may be larger than others only where its record says what it costs, or it is a file', () => {
    const larger = product.routes.filter(({ bodyLimit, takesFile }) => bodyLimit !== undefined && !takesFile)
    const costly = larger.filter(({ costs }) => costs !== undefined)
    expect(costly.map(({ method, url }) => `${method} ${url}`).toSorted()).toEqual([
      'POST /api/flows',
      'POST /api/flows/:id/replay',
      'POST /api/flows/:id/test',
      'POST /api/flows/check',
      'PUT /api/flows/:id/draft',
    ])
    expect(larger.flatMap(({ url, costs }) => (costs ? [] : url)).toSorted()).toEqual([
      '/api/support/requests',
      '/kiwify/payment/approved',
      '/kiwify/payment/refunded',
    ])
  })

  it('is refused in Portuguese when a parameter comes twice', async () => {
    const reply = await tenant.ask<{ errors: unknown }>(
      'GET',
      '/api/whatsapp/contacts?status=waiting&search=a&search=b',
    )
    expect([reply.status, reply.body.errors]).toEqual([422, [{ field: 'search', message: 'Escreva uma só busca.' }]])
  })

  it('is refused when its address or headers are too long, or when it is no HTTP', async () => {
    const long = await sendRaw(`GET /api/${'a'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`)
    expect(long).toMatch(/^HTTP\/1.1 431 /)
    expect(long).toContain('O endereço ou os cabeçalhos do pedido são grandes demais.')
    expect(await sendRaw('esto no es HTTP\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /)
    expect((await tenant.ask('GET', '/api/whatsapp/contacts/%zz')).status).toBe(400)
  })
})
