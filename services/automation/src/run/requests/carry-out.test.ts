import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { FlowRequest } from '@prosa/contracts/flows/request-template'
import { outbound, type Resolve } from '@prosa/kernel/http/outbound/outbound'
import { afterEach, describe, expect, it } from 'vitest'
import { type CarryOutDeps, carryOut } from './carry-out.ts'

interface Received {
  url: string
  method: string
  headers: IncomingMessage['headers']
  body: string
}
type Answer = (response: ServerResponse, received: Received) => void

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const serverWith = async (answer: Answer) => {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const { url = '', method = '', headers } = request
    const one = { url, method, headers, body: Buffer.concat(pieces).toString() }
    received.push(one)
    answer(response, one)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const { port } = server.address() as AddressInfo
  return { port, received, url: `http://127.0.0.1:${port}` }
}

const json =
  (body: unknown, status = 200): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

const results = [{ path: 'situacao', variable: 'situacao' }]
const request = (url: string, more: Partial<FlowRequest> = {}): FlowRequest => ({
  ...{ title: '', method: 'GET', url, headers: [], body: '', results },
  ...more,
})

const secrets = new Map([['chave', 'sk-"muito" secreta']])
const key = '7f0c2e1a-9b7d-5c3e-a4f1-0d2b6c8e9f10'

const sent = (
  wanted: FlowRequest,
  { values = {}, ...deps }: Partial<CarryOutDeps> & { values?: Record<string, string>; resolve?: Resolve } = {},
) => {
  const { resolve, ...rest } = deps
  const send = outbound({ reach: 'loopback too', ...(resolve && { resolve }) })
  const given = { send, spend: async () => true, pauses: [1, 1], timeoutMs: 2000, ...rest }
  return carryOut(given, { tenant: 'ana', request: wanted, values, secrets, key })
}

describe('a request', () => {
  it('carries variables and secrets as the place where they stand asks for', async () => {
    const server = await serverWith(json({ situacao: 'pronto' }))
    const values = { pedido: 'a/b?c=ção&d#"', nome: 'Ana "Ã"\n\r\nx-mau: 1', quantidade: '3', outra: '3 kg' }
    const reply = await sent(
      request(`${server.url}/p/{pedido}?q={pedido}`, {
        method: 'POST',
        headers: [
          { name: 'Authorization', value: 'Bearer {{segredo:chave}}' },
          { name: 'X-Nome', value: '{nome}' },
        ],
        body: '{"nome": "{nome}", "n": {quantidade}, "o": {outra}, "k": "{{segredo:chave}}", "vazio": "{nada}"}',
      }),
      { values },
    )
    expect(reply).toMatchObject({ status: 200, failure: null, attempts: 1, values: { situacao: 'pronto' } })
    const [one] = server.received
    const escaped = encodeURIComponent(values.pedido)
    expect(one?.url).toBe(`/p/${escaped}?q=${escaped}`)
    expect(JSON.parse(one?.body ?? '')).toEqual({
      ...{ nome: values.nome, n: 3, o: '3 kg', k: secrets.get('chave'), vazio: '' },
    })
    expect(one?.headers).toMatchObject({
      authorization: `Bearer ${secrets.get('chave')}`,
      'x-nome': Buffer.from('Ana "Ã"   x-mau: 1').toString('latin1'),
      'idempotency-key': key,
      'accept-encoding': 'identity',
    })
    expect(one?.headers['x-mau']).toBeUndefined()
  })

  it('takes numbers of the reply as numbers, since 1.234 as a text is a thousand', async () => {
    const server = await serverWith(json({ a: 1.234, b: '1.234', c: 1e21, d: 0.1 + 0.2, e: -3, f: [1.5] }))
    const wanted = [...'abcdef'].map((name) => ({ path: name, variable: name }))
    expect(await sent(request(server.url, { results: wanted }))).toMatchObject({
      values: { a: '1.234', b: '1.234', c: '1e+21', d: '0.30000000000000004', e: '-3', f: '1.5' },
      types: { a: 'number', e: 'number' },
    })
  })

  it('is repeated with the same key and bytes where another attempt may help', async () => {
    let count = 0
    const server = await serverWith((response, one) =>
      ++count < 3 ? json({}, count === 1 ? 503 : 429)(response, one) : json({ situacao: 1 })(response, one),
    )
    const reply = await sent(request(server.url, { method: 'POST', body: '{"a": "{a}"}' }), { values: { a: 'x' } })
    expect(reply).toMatchObject({ status: 200, failure: null, attempts: 3, values: { situacao: '1' } })
    const same = server.received.map(({ headers, body }) => `${headers['idempotency-key']} ${body}`)
    expect(new Set(same)).toEqual(new Set([`${key} {"a": "x"}`]))
  })

  it.each([400, 401, 404, 409, 410, 422, 501])('is not repeated after %i', async (status) => {
    const server = await serverWith(json({ erro: true }, status))
    expect(await sent(request(server.url))).toMatchObject({ status, failure: 'status', attempts: 1, values: {} })
    expect(server.received).toHaveLength(1)
  })

  it('is given up after three attempts', async () => {
    const server = await serverWith(json({}, 500))
    expect(await sent(request(server.url))).toMatchObject({ status: 500, failure: 'status', attempts: 3 })
    expect(server.received).toHaveLength(3)
  })

  it('without a secret that it names, with a path that a value would leave, or a header of ours sends nothing', async () => {
    const server = await serverWith(json({}))
    const failures = [
      await sent(request(server.url, { headers: [{ name: 'x', value: '{{segredo:outra}}' }] })),
      await sent(request(`${server.url}/clientes/{a}/pedidos`), { values: { a: '..' } }),
      await sent(request(`${server.url}/clientes/{a}/pedidos`), { values: { a: '.' } }),
      await sent(request(server.url, { headers: [{ name: 'Host', value: 'x' }] })),
      await sent(request('https://{a}/'), { values: { a: 'evil.example' } }),
      await sent(request(server.url, { method: 'POST', body: '"{a}"' }), { values: { a: 'x'.repeat(300_000) } }),
    ].map((reply) => reply?.failure)
    expect(failures).toEqual([
      ...['no_secret', 'bad_address', 'bad_address', 'bad_header', 'bad_address', 'request_too_large'],
    ])
    expect(server.received).toEqual([])
  })

  it('takes what a customer writes as text, though it reads as a secret or a variable', async () => {
    const server = await serverWith(json({}))
    const values = { a: '{{segredo:chave}} {nome}', nome: 'Ana' }
    await sent(request(`${server.url}/?a={a}`, { method: 'POST', body: '"{a}"', results: [] }), { values })
    expect(JSON.parse(server.received[0]?.body ?? '')).toBe(values.a)
    expect(server.received[0]?.url).toBe(`/?a=${encodeURIComponent(values.a)}`)
  })

  it('beyond the budget of its tenant is not sent', async () => {
    const server = await serverWith(json({}, 503))
    let left = 2
    const spend = async () => left-- > 0
    expect(await sent(request(server.url), { spend })).toMatchObject({ failure: 'status', attempts: 2 })
    expect(await sent(request(server.url), { spend })).toMatchObject({ failure: 'daily_limit', attempts: 0 })
    expect(server.received).toHaveLength(2)
  })
})

describe('a hostile answer', () => {
  const filler = Buffer.alloc(64 * 1024, ' ')

  it('that is huge, or has no end, is read up to 256 kB', async () => {
    const huge = await serverWith((response) => response.end(JSON.stringify('x'.repeat(300_000))))
    expect(await sent(request(huge.url))).toMatchObject({ status: 200, failure: 'reply_too_large', attempts: 1 })
    let written = 0
    const endless = await serverWith((response) => {
      const write = () => {
        if (response.destroyed) return
        written += filler.length
        response.write(filler, () => setImmediate(write))
      }
      write()
    })
    expect(await sent(request(endless.url))).toMatchObject({ failure: 'reply_too_large' })
    expect(written).toBeLessThan(20_000_000)
  })

  it('of exactly 256 kB is read', async () => {
    const body = `{"situacao": "ok"}`
    const full = await serverWith((response) => response.end(body.padEnd(256 * 1024)))
    expect(await sent(request(full.url))).toMatchObject({ failure: null, values: { situacao: 'ok' } })
  })

  it('that never comes, or trickles, ends by the time-out', async () => {
    const silent = await serverWith(() => undefined)
    expect(await sent(request(silent.url), { timeoutMs: 100 })).toMatchObject({ failure: 'timeout', attempts: 3 })
    const slow = await serverWith((response) => {
      const timer = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(timer))
    })
    expect(await sent(request(slow.url), { timeoutMs: 100, pauses: [] })).toMatchObject({
      failure: 'timeout',
      attempts: 1,
    })
  })

  it('that is a compressed bomb is not inflated', async () => {
    const bomb = gzipSync(Buffer.alloc(100_000_000))
    const server = await serverWith((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb))
    const before = process.memoryUsage().arrayBuffers
    expect(await sent(request(server.url))).toMatchObject({ status: 200, failure: 'not_json', values: {} })
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000)
  })

  it.each([
    ['no JSON', 'olá'],
    ['nothing', ''],
    ['cut JSON', '{"situacao": "o'],
  ])('that is %s goes on by "Deu errado"', async (_, body) => {
    const server = await serverWith((response) => response.end(body))
    expect(await sent(request(server.url))).toMatchObject({ status: 200, failure: 'not_json' })
    expect(await sent(request(server.url, { results: [] }))).toMatchObject({ status: 200, failure: null })
  })

  it('that nests without end, or has names of objects, gives empty values', async () => {
    const deep = await serverWith((response) =>
      response.end(`{"situacao": ${'['.repeat(60_000)}${']'.repeat(60_000)}}`),
    )
    expect(await sent(request(deep.url))).toMatchObject({ failure: null, values: { situacao: '' } })
    const odd = await serverWith((response) => response.end('{"__proto__": {"x": "y"}, "a": "b"}'))
    const paths = ['__proto__.y', 'constructor.name', 'toString', 'a.length', 'a[0]']
    const wanted = paths.map((path, at) => ({ path, variable: `v${at}` }))
    const reply = await sent(request(odd.url, { results: wanted }))
    expect(new Set(Object.values(reply?.values ?? {}))).toEqual(new Set(['']))
  })

  it('that repeats the secret shows it nowhere', async () => {
    const server = await serverWith((response, { headers, url, body }) =>
      response.end(JSON.stringify({ situacao: headers.authorization, url, body })),
    )
    const reply = await sent(
      request(`${server.url}/?k={{segredo:chave}}`, {
        ...{ method: 'POST', body: '{"k": "{{segredo:chave}}"}' },
        headers: [{ name: 'authorization', value: 'Bearer {{segredo:chave}}' }],
      }),
    )
    expect(reply?.values).toEqual({ situacao: 'Bearer •••' })
    expect(reply?.body).not.toMatch(/muito|secreta/)
  })
})

describe('a redirect', () => {
  const redirectTo =
    (location: () => string, status = 302): Answer =>
    (response) =>
      response.writeHead(status, { location: location() }).end()

  it('is followed, three times at most', async () => {
    const target = await serverWith(json({ situacao: 'aqui' }))
    const first = await serverWith(redirectTo(() => `${target.url}/x`))
    expect(await sent(request(first.url))).toMatchObject({ status: 200, values: { situacao: 'aqui' } })
    const endless = await serverWith(redirectTo(() => '/outra'))
    expect(await sent(request(endless.url))).toMatchObject({ status: 302, failure: 'redirect', attempts: 1 })
    expect(endless.received).toHaveLength(4)
  })

  it.each([
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://[fd00:ec2::254]/',
    'http://192.168.0.1/',
  ])('to %s is refused', async (address) => {
    const server = await serverWith(redirectTo(() => address))
    expect(await sent(request(server.url))).toMatchObject({ status: null, failure: 'not_allowed', attempts: 1 })
  })

  it('by a name that leads elsewhere the next time is looked up, and refused, again', async () => {
    const server = await serverWith(redirectTo(() => '/de-novo'))
    const answers = [['127.0.0.1'], ['10.0.0.1']]
    const resolve: Resolve = async () => answers.shift() ?? []
    expect(await sent(request(`http://muda.example:${server.port}/`), { resolve })).toMatchObject({
      failure: 'not_allowed',
    })
    expect(server.received).toHaveLength(1)
  })

  it('to a file, another protocol or nowhere is not followed', async () => {
    for (const location of ['file:///etc/passwd', 'ftp://127.0.0.1/', 'http://'])
      expect(await sent(request((await serverWith(redirectTo(() => location))).url))).toMatchObject({
        failure: 'redirect',
      })
  })

  it('to another server carries no secret of a header, and no body', async () => {
    const other = await serverWith(json({ situacao: 'lá' }))
    const headers = [
      { name: 'Authorization', value: 'Bearer {{segredo:chave}}' },
      { name: 'X-Loja', value: 'Sol' },
    ]
    const moved = await serverWith(redirectTo(() => other.url, 303))
    await sent(request(moved.url, { method: 'POST', body: '{"k": 1}', headers }))
    expect(other.received[0]).toMatchObject({ method: 'GET', body: '', headers: { 'x-loja': 'Sol' } })
    expect(other.received[0]?.headers.authorization).toBeUndefined()
    const plain = { headers: ['Authorization', 'Cookie'].map((name) => ({ name, value: 'escrito sem segredo' })) }
    const elsewhere = await serverWith(redirectTo(() => other.url, 302))
    await sent(request(elsewhere.url, plain))
    expect(elsewhere.received[0]?.headers).toMatchObject({ authorization: 'escrito sem segredo' })
    expect(
      other.received.splice(1).map(({ headers: { authorization, cookie } }) => ({ authorization, cookie })),
    ).toEqual([{ authorization: undefined, cookie: undefined }])
    const repeated = await serverWith(redirectTo(() => other.url, 307))
    expect(await sent(request(repeated.url, { method: 'POST', body: '{"k": 1}', headers }))).toMatchObject({
      status: 307,
      failure: 'redirect',
    })
    expect(other.received).toHaveLength(1)
    const same = await serverWith((response, one) =>
      one.url === '/nova' ? json({})(response, one) : redirectTo(() => '/nova', 308)(response, one),
    )
    await sent(request(same.url, { method: 'PUT', body: '{"k": 1}', headers }))
    expect(same.received[1]).toMatchObject({ method: 'PUT', body: '{"k": 1}' })
    expect(same.received[1]?.headers.authorization).toContain('secreta')
  })
})
