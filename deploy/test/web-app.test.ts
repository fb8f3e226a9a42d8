import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rawSecurityHeaders } from '@prosa/kernel/http/security-headers'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveWebApp } from '../src/web-app.ts'

let folder: string
let app: FastifyInstance

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prosa-web-'))
  await writeFile(
    join(folder, 'index.html'),
    '<meta property="csp-nonce" nonce="__CSP_NONCE__" /><div id="root"></div>',
  )
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'assets/app-1a2b3c.js'), 'start()')
  await writeFile(join(folder, 'prosa.svg'), '<svg/>')
  app = fastify({ trustProxy: true })
  await serveWebApp(app, folder)
  app.get('/api/something', async () => ({ done: true }))
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

const ask = (url: string, protocol = 'http') => app.inject({ url, headers: { 'x-forwarded-proto': protocol } })
const policyOf = ({ headers }: Awaited<ReturnType<typeof ask>>) =>
  new Map(
    String(headers['content-security-policy'])
      .split('; ')
      .map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1)]),
  )

describe('the web app', () => {
  it('has a policy that allows nothing inline, nothing of others, no frame and no base', async () => {
    for (const url of ['/', '/live-chat', '/api/something', '/nothing.js']) {
      const policy = policyOf(await ask(url))
      expect([...policy.values()].flat().filter((source) => /unsafe|\*|http/.test(source))).toEqual([])
      expect(policy.get('script-src')).toEqual(["'self'"])
      expect(policy.get('form-action')).toEqual(["'self'"])
      for (const none of ['default-src', 'object-src', 'base-uri', 'frame-ancestors'])
        expect(policy.get(none)).toEqual(["'none'"])
    }
  })

  it('allows the styles of one reply by a nonce that is written into that page and never comes again', async () => {
    const nonces = new Set<string>()
    for (let count = 0; count < 20; count++) {
      const reply = await ask('/')
      const nonce = reply.body.match(/nonce="([^"]{16,})"/)?.[1] ?? ''
      expect(policyOf(reply).get('style-src')).toEqual(["'self'", `'nonce-${nonce}'`])
      expect(reply.headers['cache-control']).toBe('no-cache')
      nonces.add(nonce)
    }
    expect(nonces.size).toBe(20)
    expect(policyOf(await ask('/api/something')).get('style-src')).toEqual(["'self'"])
  })

  it('asks browsers not to guess types, not to reveal where they come from, and to stay on https once they are there', async () => {
    const { headers } = await ask('/api/something', 'https')
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'x-frame-options': 'DENY',
      'strict-transport-security': 'max-age=31536000',
    })
    expect(headers['permissions-policy']).toContain('camera=()')
    expect((await ask('/api/something')).headers).not.toHaveProperty('strict-transport-security')
  })

  it.each(['http', 'https'])(
    'has the same security headers on what answers beside Fastify, over %s',
    async (protocol) => {
      const { headers } = await ask('/api/something', protocol)
      const ofTheAnswer = new Set(['connection', 'content-length', 'content-type', 'date'])
      const security = Object.entries(headers).filter(([name]) => !ofTheAnswer.has(name))
      expect(rawSecurityHeaders(protocol === 'https')).toEqual(Object.fromEntries(security))
    },
  )

  it('is asked once for what has its content in its name, and each time whether the rest has changed', async () => {
    const kept = async (url: string) => (await ask(url)).headers['cache-control']
    expect(await kept('/assets/app-1a2b3c.js')).toBe('public, max-age=31536000, immutable')
    expect(await kept('/prosa.svg')).toBe('no-cache')
    expect(await kept('/')).toBe('no-cache')
    expect(await kept('/assets/gone-1a2b3c.js')).toBeUndefined()
  })

  it('reports when it is not built', async () => {
    await expect(serveWebApp(fastify(), join(folder, 'nowhere'))).rejects.toThrow('has no index.html')
  })
})
