import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endpoints } from '@prosa/contracts/http/endpoints'
import { freePort } from '@prosa/kernel/free-port'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installedCaddy } from '../src/cluster/caddy.ts'
import { caddyfile, composeCaddyfile, type Upstreams } from '../src/topology/caddyfile.ts'
import { type ProcessName, processNames } from '../src/topology/processes.ts'
import { gatewayRoutes, pathsWithKeys, processOf, takesKey } from '../src/topology/routes.ts'
import { topologyPage } from '../src/topology/topology-page.ts'

const inRoot = (path: string) => join(import.meta.dirname, '../..', path)
const example = (path: string) => path.replaceAll(/:\w+/g, '0b1c2d3e-4f50-4162-8374-95a6b7c8d9e0')

const caddy = await installedCaddy()

describe('the topology', () => {
  it('is in the gateway’s Caddyfile and in the docs as in the records', async () => {
    await expect(composeCaddyfile()).toMatchFileSnapshot(inRoot('deploy/gateway/Caddyfile'))
    await expect(topologyPage()).toMatchFileSnapshot(inRoot('docs/topology.md'))
  })

  it('has a process for each address that the product serves', () => {
    for (const { method, path, service } of endpoints)
      expect([method, path, processOf(method, `${example(path)}?a=/b`)]).toEqual([
        method,
        path,
        service === 'operations' ? 'projections' : service,
      ])
    expect(processOf('HEAD', '/api/auth/user')).toBe('projections')
    expect(processOf('POST', '/socket.io/?EIO=4&transport=polling')).toBe('realtime')
    for (const path of ['/', '/live-chat', '/assets/a.js', '/api/docs', '/api/docs/json', '/health/ready', '/metrics'])
      expect(processOf('GET', path)).toBe('web')
    for (const path of ['/api/nothing', '/api/auth/user/', '/API/auth/user', '/%', '/socket.iox'])
      expect(processOf('GET', path)).toBe('web')
  })

  it('has no address that two processes could answer', () => {
    const segmentsOf = (path: string) => path.split('/')
    const meet = (one: string, other: string) => {
      const [a, b] = [segmentsOf(one), segmentsOf(other)]
      return (
        a.length === b.length &&
        a.every((part, at) => part === b[at] || [part, b[at]].some((each) => each?.startsWith(':')))
      )
    }
    const clashes = gatewayRoutes.flatMap(({ method, path, process }) =>
      gatewayRoutes
        .filter((other) => other.method === method && other.process !== process && meet(path, other.path))
        .map((other) => `${method} ${path} (${process}) and ${other.path} (${other.process})`),
    )
    expect(clashes).toEqual([])
  })
})

/** Says which process it stands for, and what reached it. */
const startEcho = async (name: ProcessName, port: number): Promise<Server> => {
  const server = createServer((asked, reply) => {
    asked.resume()
    reply.setHeader('x-answered-by', name)
    reply.end(JSON.stringify({ headers: asked.headers, url: asked.url }))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

interface Seen {
  status: number | undefined
  by: string | string[] | undefined
  cookie: string | undefined
  headers: Record<string, string>
  url: string
}

describe.skipIf(!caddy)(`the gateway, real Caddy ${caddy?.version ?? '(skipped: none is installed)'}`, () => {
  let folder: string
  let process: ChildProcess
  let port: number
  let echoes: Server[]

  const start = async (env: Record<string, string> = {}) => {
    process = spawn(caddy?.program ?? '', ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')], {
      env: { PATH: globalThis.process.env.PATH, HOME: folder, ...env },
      stdio: 'ignore',
    })
    await until(() =>
      ask('GET', '/').then(
        () => true,
        () => false,
      ),
    )
  }
  const stop = async () => {
    const ended = once(process, 'exit')
    process.kill('SIGTERM')
    await ended
  }
  const ask = async (method: string, path: string, headers: Record<string, string> = {}): Promise<Seen> => {
    const asking = request({ host: '127.0.0.1', port, method, path, headers })
    asking.end()
    const [reply]: IncomingMessage[] = await once(asking, 'response')
    const parts: Buffer[] = []
    for await (const part of reply ?? []) parts.push(part)
    const text = Buffer.concat(parts).toString()
    return {
      status: reply?.statusCode,
      by: reply?.headers['x-answered-by'],
      cookie: reply?.headers['set-cookie']?.[0],
      ...(text.startsWith('{') ? JSON.parse(text) : { headers: {}, url: '' }),
    }
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prosa-gateway-'))
    port = await freePort()
    const upstreams: Partial<Record<ProcessName, Upstreams>> = {}
    echoes = []
    for (const name of processNames) {
      const own = await freePort()
      echoes.push(await startEcho(name, own))
      upstreams[name] = [`127.0.0.1:${own}`]
    }
    const config = caddyfile({
      site: `http://:${port}`,
      options: ['admin off'],
      siteOptions: ['bind 127.0.0.1'],
      upstreams: upstreams as Record<ProcessName, Upstreams>,
      hasStreamCloseDelay: caddy?.hasStreamCloseDelay ?? false,
    })
    await writeFile(join(folder, 'Caddyfile'), config)
    await start()
  })
  afterAll(async () => {
    await stop()
    for (const echo of echoes) echo.close()
    await rm(folder, { recursive: true })
  })

  it('accepts the Caddyfile of the containers, but for what this version does not know', async () => {
    const text = await readFile(inRoot('deploy/gateway/Caddyfile'), 'utf8')
    const known = caddy?.hasStreamCloseDelay ? text : text.replaceAll(/^\s*stream_close_delay .*\n/gm, '')
    await writeFile(join(folder, 'composed'), known)
    const validating = spawn(caddy?.program ?? '', ['adapt', '--adapter', 'caddyfile', '--config', 'composed'], {
      cwd: folder,
      env: { PATH: globalThis.process.env.PATH, HOME: folder },
      stdio: 'ignore',
    })
    expect(await once(validating, 'exit')).toEqual([0, null])
  })

  it('leads every address to the process that its record names, as the local router does', async () => {
    for (const { method, path } of gatewayRoutes) {
      const target = example(path.replace('/*', '/?transport=polling'))
      const by = method === '*' ? 'POST' : method
      expect([by, target, (await ask(by, target)).by]).toEqual([by, target, processOf(by, target)])
    }
    for (const target of ['/', '/api/docs', '/nothing', '/api/nothing', '/metrics', '/health/ready', '/assets/x.js'])
      expect([target, (await ask('GET', target)).by]).toEqual([target, 'web'])
    expect((await ask('HEAD', '/api/auth/user')).by).toBe('projections')
    for (const target of [
      '/%61pi/auth/user',
      '/api/whatsapp/contacts/a%2Fb',
      '/api/auth/user%0A',
      '/%ff',
      '/api/auth/%75ser?x=%zz',
    ])
      expect([target, (await ask('GET', target)).by]).toEqual([target, processOf('GET', target)])
  })

  it('hands the address on as it was sent', async () => {
    expect((await ask('GET', '/%61pi/auth/user?a=%2F%20b')).url).toBe('/%61pi/auth/user?a=%2F%20b')
  })

  const hostile = {
    'x-prosa-token': 'forged',
    'X-PROSA-Tenant': 'forged',
    authorization: 'Bearer forged',
    'proxy-authorization': 'Bearer forged',
    forwarded: 'for=203.0.113.9',
    'x-real-ip': '203.0.113.9',
    'x-forwarded-for': '203.0.113.9',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'forged.example.com',
    'x-forwarded-prefix': '/forged',
    'x-forwarded-user': 'admin',
    via: '1.1 forged',
  }

  it('lets no header in that services trust', async () => {
    for (const [method, path] of [
      ['GET', '/api/auth/user'],
      ['POST', '/kiwify/payment/approved'],
      ['GET', '/socket.io/?EIO=4'],
      ['GET', '/'],
    ] as const) {
      const { headers } = await ask(method, path, { ...hostile, 'idempotency-key': 'mine', cookie: 'a=b' })
      expect(JSON.stringify(headers)).not.toMatch(/forged|203\.0\.113|admin/)
      expect(headers).toMatchObject({
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-proto': 'http',
        'idempotency-key': 'mine',
        cookie: 'a=b',
      })
    }
  })

  it('lets a program’s key in where a route takes one, with none of the other headers, and nowhere else', async () => {
    const authorization = 'Bearer prosa_mine'
    for (const each of pathsWithKeys) {
      const { headers } = await ask('GET', each.replaceAll('*', 'x'), { ...hostile, authorization })
      expect([each, headers.authorization]).toEqual([each, authorization])
      expect(JSON.stringify(headers)).not.toMatch(/forged|203\.0\.113|admin/)
      expect(takesKey(`${each.replaceAll('*', 'x')}?a=b`)).toBe(true)
    }
    for (const path of ['/api/v1', '/api/v2/contacts', '/api/auth/user', '/api/keys', '/metrics', '/internal/keys']) {
      expect([path, (await ask('GET', path, { authorization })).headers.authorization]).toEqual([path, undefined])
      expect([path, takesKey(path)]).toEqual([path, false])
    }
  })

  it('does not let a header that it sets be removed by `Connection`', async () => {
    const { headers } = await ask('GET', '/api/auth/user', { connection: 'X-Forwarded-For, X-Forwarded-Proto, close' })
    expect(headers).toMatchObject({ 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http' })
  })

  it('takes the visitor’s address from a proxy of PROSA_GATEWAY_TRUSTS, and only that', async () => {
    await stop()
    await start({ PROSA_GATEWAY_TRUSTS: '127.0.0.0/8' })
    const { headers } = await ask('GET', '/api/auth/user', hostile)
    expect(headers).toMatchObject({ 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' })
    expect(headers).not.toHaveProperty('x-prosa-token')
    expect(headers).not.toHaveProperty('authorization')
    await stop()
    await start()
  })

  it('keeps a browser that polls at one process of realtime', async () => {
    expect((await ask('GET', '/socket.io/?EIO=4&transport=polling')).cookie).toMatch(/^prosa_gateway=/)
    expect((await ask('GET', '/api/auth/user')).cookie).toBeUndefined()
  })
})
