import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { endpoints } from '@prosa/contracts/http/endpoints'
import { idempotencyKeyHeader } from '@prosa/contracts/http/problem'
import { shortOrLong } from '@prosa/kernel/testing/long-form'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Product, startProduct } from './product.ts'
import type { Visitor } from './visitor.ts'

const page = '<!doctype html><title>Prosa</title>'
const foreign = { origin: 'https://evil.example' }

let folder: string
let product: Product
let tenant: Visitor
const agent = new Agent({ keepAlive: true, maxSockets: 8 })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prosa-web-'))
  await writeFile(join(folder, 'index.html'), page)
  product = await startProduct({ webFolder: folder, limitScale: 100_000 })
  tenant = await product.visitor().register()
}, 60_000)
afterAll(async () => {
  agent.destroy()
  await product?.stop()
  await rm(folder, { recursive: true, force: true })
})

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

/** Raw, because `fetch` would normalize `target`. */
const send = (method: string, target: string, headers: Record<string, string> = {}, body?: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(product.url)
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = request({ hostname, port, agent, method, path: target, headers: { ...type, ...headers } })
    sent.on('response', (reply) => {
      text(reply).then((read) => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: read }), reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })

const typeOf = ({ headers, body }: Answer): string | undefined =>
  headers['content-type']?.includes('problem+json') ? (JSON.parse(body) as { type: string }).type : undefined

const encodeAll = (path: string) => path.replaceAll(/[a-z]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)

const variantsOf = (path: string): string[] => {
  const [, first = '', ...rest] = path.split('/')
  const behind = rest.join('/')
  const last = rest.at(-1) ?? ''
  const before = path.slice(0, -last.length)
  const head = `%${first.charCodeAt(0).toString(16)}${first.slice(1)}`
  return [
    `/${head}/${behind}`,
    `/${first}/${encodeAll(behind)}`,
    encodeAll(path),
    `/%25${head.slice(1)}/${behind}`,
    `/%2525${head.slice(1)}/${behind}`,
    `//${first}/${behind}`,
    `/${first}//${behind}`,
    `///${head}///${behind}`,
    `${path}/`,
    `${path}//`,
    `/${head}/${behind}/`,
    `/${first.toUpperCase()}/${behind}`,
    `/${first[0]?.toUpperCase()}${first.slice(1)}/${behind}`,
    `${before}${last.toUpperCase()}`,
    `/%${first.toUpperCase().charCodeAt(0).toString(16)}${first.slice(1)}/${behind}`,
    `/./${first}/${behind}`,
    `/${first}/./${behind}`,
    `/x/../${first}/${behind}`,
    `/${first}/x/../${behind}`,
    `/${first}/x/..%2f${behind}`,
    `/${first}/x/%2e%2e/${behind}`,
    `/%2e/${first}/${behind}`,
    `/x%2f..%2f${first}/${behind}`,
    `/${first}%2f${behind}`,
    `%2f${first}%2f${behind}`,
    `/%2f${first}/${behind}`,
    `/${first}\\${behind}`,
    `\\${first}\\${behind}`,
    `/${first}%5c${behind}`,
    `/%5c${first}/${behind}`,
    `/${first};x=1/${behind}`,
    `/;x=1/${first}/${behind}`,
    `${path};x=1`,
    `${path}%3bx=1`,
    `/${first}%00/${behind}`,
    `/%00${first}/${behind}`,
    `${path}%00`,
    `/${first}%20/${behind}`,
    `${path}%0d%0a`,
    `${path}%zz`,
    `/%zz${first}/${behind}`,
    `/${first}%/${behind}`,
    `/%c0%af${first}/${behind}`,
    `/%u0061${first.slice(1)}/${behind}`,
    `http://x${path}`,
    `HTTP://x/${head}/${behind}`,
    `https://user:pass@x${path}`,
    `http://${first}/${behind}`,
    `${path}?x=%zz`,
    `${path}#/../x`,
    `${path}?/../../live-chat`,
    `/live-chat/../${first}/${behind}`,
    `/live-chat?${path}`,
    `/live-chat%3f/../${first}/${behind}`,
  ]
}

const records = endpoints.map(({ method, path }) => ({ method, path: path.replaceAll(/:\w+/g, 'x') }))
/** The HTTP parser refuses these bytes before any route. */
const isNoRequest = ({ status, headers }: Answer) => status === 400 && headers.connection === 'close'

const isAboutPage = (target: string) => target.startsWith('/live-chat?')

describe('an address that leads to a route in another spelling', () => {
  const sendAll = async (
    of: typeof records,
    check: (target: string, method: string, path: string) => Promise<void>,
  ) => {
    const waiting = of.flatMap(({ method, path }, at) =>
      variantsOf(path)
        // Short form: a sixth of the combinations, each spelling and each address among them.
        .filter((_, index) => shortOrLong(index % 6 === at % 6, true))
        .map((target) => ({ method, path, target })),
    )
    const work = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) await check(next.target, next.method, next.path)
    }
    await Promise.all(Array.from({ length: 8 }, work))
  }

  const plain = new Map<string, Promise<Answer>>()
  const plainAnswer = (method: string, path: string, headers: Record<string, string>) => {
    const key = `${method} ${path} ${JSON.stringify(headers)}`
    const known = plain.get(key) ?? send(method, path, headers, method === 'GET' ? undefined : '{}')
    plain.set(key, known)
    return known
  }

  const expectGuarded = async (method: string, target: string, path: string, headers: Record<string, string>) => {
    const answer = await send(method, target, headers, method === 'GET' ? undefined : '{}')
    const what = `${method} ${target}: ${answer.status} ${answer.body.slice(0, 200)}`
    if (isAboutPage(target) && method === 'GET') return expect(answer.body, what).toBe(page)
    // A slash at the end is the route below, of something without a name.
    const isBelow = /[^/]\/$/.test(target)
    const below = isBelow && records.find((each) => each.method === method && each.path === `${path}/x`)
    const expected = await plainAnswer(method, below ? below.path : path, headers)
    expect(answer.body, what).not.toContain(page)
    expect(answer.status, what).not.toBe(500)
    if (isNoRequest(answer)) return
    if (!path.startsWith('/r/') || answer.status === 400)
      expect(answer.headers['cache-control'], what).toBe(
        path.startsWith('/kiwify/') && answer.status === expected.status
          ? expected.headers['cache-control']
          : 'no-store',
      )
    if ([400, 404].includes(answer.status) && typeOf(answer) !== undefined) return
    expect([answer.status, typeOf(answer)], what).toEqual([expected.status, typeOf(expected)])
  }

  it('gives visitors what the route gives them, or nothing: never trouble, and never a page of the web app', async () => {
    await sendAll(records, (target, method, path) => expectGuarded(method, target, path, {}))
  }, 120_000)

  it('refuses commands of other sites’ pages, whoever is signed in', async () => {
    const commands = records.filter(({ method, path }) => method !== 'GET' && path.startsWith('/api/'))
    const headers = { ...foreign, cookie: tenant.cookie ?? '' }
    await sendAll(commands, async (target, method) => {
      const answer = await send(method, target, headers, '{}')
      const what = `${method} ${target}: ${answer.status} ${answer.body.slice(0, 200)}`
      if (isNoRequest(answer)) return
      expect(['foreign_origin', 'route_not_found', 'malformed_body', 'request_too_large'], what).toContain(
        typeOf(answer),
      )
    })
  }, 120_000)

  it('is carried out once for an idempotency key, as under the plain address', async () => {
    const headers = { cookie: tenant.cookie ?? '', [idempotencyKeyHeader]: 'uma-vez' }
    const add = () => send('POST', '/%61pi/whatsapp/connections', headers, '{"name":"Só uma"}')
    const [first, second] = [await add(), await add()]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(JSON.parse(second.body)).toEqual(JSON.parse(first.body))
    const added = async () => (await tenant.connections()).filter(({ name }) => name === 'Só uma')
    await until(async () => (await added()).length > 0)
    expect(await added()).toHaveLength(1)
  })

  it('signs somebody in as the plain address does', async () => {
    const { email, password } = tenant
    const body = JSON.stringify({ email, password })
    const answer = await send('POST', '/%61pi/auth/login', {}, body)
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store'])
    expect((await send('POST', '/%61pi/auth/login', foreign, body)).status).toBe(403)
  })
})

describe('a method that no route has', () => {
  it('reaches nothing, whatever other headers say that it is', async () => {
    const overriding = {
      'x-http-method-override': 'DELETE',
      'x-http-method': 'DELETE',
      'x-method-override': 'DELETE',
      'x-original-url': '/api/auth/user',
      'x-rewrite-url': '/api/auth/user',
    }
    for (const { method, path } of records) {
      for (const other of ['OPTIONS', 'TRACE', 'PROPFIND']) {
        const answer = await send(other, path)
        expect([other, path, typeOf(answer), answer.headers['cache-control']]).toEqual([
          other,
          path,
          'route_not_found',
          'no-store',
        ])
      }
      const body = method === 'GET' ? undefined : '{}'
      const [usual, overridden] = [await send(method, path, {}, body), await send(method, path, overriding, body)]
      expect([method, path, overridden.status, typeOf(overridden)]).toEqual([method, path, usual.status, typeOf(usual)])
      if (method !== 'GET') continue
      const head = await send('HEAD', path)
      const [given, noStore] = [head.status, head.headers['cache-control']]
      expect([path, [usual.status, 404].includes(given), noStore]).toEqual([path, true, 'no-store'])
    }
  }, 60_000)
})

describe('a host that the request names', () => {
  const raw = (bytes: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const received: Buffer[] = []
      const socket = connect(Number(new URL(product.url).port), '127.0.0.1', () => socket.end(bytes))
      socket.on('data', (data) => received.push(data))
      socket.on('error', reject)
      socket.on('close', () => resolve(Buffer.concat(received).toString()))
    })

  it('opens nothing to pages of other sites, and stands in no answer', async () => {
    const { email } = tenant
    for (const host of ['evil.example', 'evil.example:3000@localhost', '', 'a'.repeat(4000), '[::1', '%61pi']) {
      const command = await send('POST', '/api/auth/logout', { host, ...foreign, cookie: tenant.cookie ?? '' }, '{}')
      if (host !== 'evil.example') expect(typeOf(command), host).toBe('foreign_origin')
      const reset = await send('POST', '/api/auth/forgot-password', { host }, JSON.stringify({ email }))
      expect(reset.status, reset.body).toBeLessThan(500)
      if (host) expect(reset.body).not.toContain(host)
      const shown = await send('GET', '/live-chat', { host })
      expect([shown.status, shown.body]).toEqual([200, page])
    }
    expect(await raw('GET /api/auth/user HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /)
    expect(await raw('GET /api/auth/user HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n')).toMatch(/^HTTP\/1.1 40[01] /)
  })
})

describe('the sockets’ address', () => {
  it('is one: other spellings of it reach neither the sockets nor a page', async () => {
    const query = '?EIO=4&transport=polling'
    expect((await send('GET', `/socket.io/${query}`)).status).toBe(200)
    expect((await send('GET', `/socket.io/${query}`, foreign)).status).toBe(403)
    for (const target of variantsOf('/socket.io/x').concat('/socket.io', '/socket.io%2f')) {
      if (isAboutPage(target)) continue
      const url = target.includes('?') || target.includes('#') ? target : `${target}${query}`
      const answer = await send('GET', url, foreign)
      expect([400, 403, 404], `${url}: ${answer.body}`).toContain(answer.status)
      expect(answer.body).not.toContain(page)
    }
  })
})
