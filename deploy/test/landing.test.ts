import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { silentLog } from '@prosa/kernel/observability/log'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LandingContent, type LegalFacts, landing } from '../src/landing.ts'
import { serveWebApp } from '../src/web-app.ts'

const root = resolve(import.meta.dirname, '../..')
const built = join(root, 'web/dist/landing')
const profissional = {
  planId: 'pro',
  planName: 'Plano <Profissional>',
  price: 'R$ 97,00',
  accessDays: 30,
  description: '',
  purchaseUrl: 'https://pay.kiwify.com.br/abc?a=1&b=2',
}

const legal: LegalFacts = {
  version: '2027-03-01',
  seller: { name: 'Loja <Exemplo>', document: undefined, address: undefined, email: undefined },
  privacy: { officer: undefined, email: 'dados@example.com', dataLocation: undefined, backupDays: 14 },
  afterEnd: 'ended',
  deliveryDays: 90,
}

let folder: string
let app: FastifyInstance
let content: LandingContent
let reads = 0

beforeAll(async () => {
  const { buildLanding }: { buildLanding: () => Promise<void> } = await import(
    join(root, 'scripts/builds/build-landing.mjs')
  )
  await buildLanding()
  folder = await mkdtemp(join(tmpdir(), 'prosa-landing-'))
  await writeFile(join(folder, 'index.html'), '<div id="root"></div>')
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'assets/inter-latin-wght-normal-1a2b.woff2'), '')
  content = { plans: [profissional, { ...profissional, planId: 'b', planName: 'Básico', purchaseUrl: null }] }
  const read = async () => {
    reads++
    return content
  }
  const settings = { folder: built, assets: join(folder, 'assets'), origin: 'https://prosa.example', read, legal }
  app = fastify()
  await serveWebApp(app, folder, await landing({ ...settings, log: silentLog() }))
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

const ask = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })

describe('the landing page', () => {
  it('is what visitors get at the start and where the app has no screen, and nobody else', async () => {
    for (const url of ['/', '/nao-existe', '/?origem=anuncio']) {
      const reply = await ask(url)
      expect(reply.statusCode).toBe(200)
      expect(reply.body).toContain('Alguém já está respondendo.')
    }
    for (const url of ['/login', '/register', '/reset-password?token=a', '/live-chat', '/flow-editor/7'])
      expect((await ask(url)).body).toContain('<div id="root">')
    for (const url of ['/', '/nao-existe'])
      expect((await ask(url, { cookie: 'a=b; __Host-prosa=token' })).body).toContain('<div id="root">')
  })

  it('has no script, and no style but the one whose hash its policy allows', async () => {
    const { body, headers } = await ask('/')
    expect(body).not.toContain('<script')
    expect(body).not.toMatch(/ (style|on\w+)="/)
    const styles = Array.from(body.matchAll(/<style>(.*?)<\/style>/gs), ([, style = '']) => style)
    expect(styles).toHaveLength(1)
    const hash = createHash('sha256')
      .update(styles[0] ?? '')
      .digest('base64')
    expect(headers['content-security-policy']).toContain(`style-src 'self' 'sha256-${hash}'`)
  })

  it('takes less than 60 kB with its font, compressed, pictures left out', async () => {
    const { rawPayload, headers } = await ask('/', { 'accept-encoding': 'gzip' })
    expect(headers['content-encoding']).toBe('gzip')
    const fontBytes = 48_256
    expect(rawPayload.byteLength + fontBytes).toBeLessThan(60_000)
    expect(gunzipSync(rawPayload).toString()).toContain('</html>')
    expect((await ask('/', { 'if-none-match': String(headers.etag) })).statusCode).toBe(304)
  })

  it('shows the free period and each plan on offer, the first one as the most popular', async () => {
    const { body } = await ask('/')
    const cards = body.match(/<li class="landing-plan.*?<\/li>/gs) ?? []
    expect(cards).toHaveLength(3)
    expect(cards[0]).toContain('R$ 0')
    expect(cards[1]).toContain('Plano &lt;Profissional&gt;')
    expect(cards[1]).toContain('Mais Popular')
    expect(cards[1]).toContain('/30 dias')
    expect(cards[1]).toMatch(/href="https:\/\/pay\.kiwify\.com\.br\/abc\?a=1&amp;b=2" target="_blank" rel="noopener/)
    expect(cards[2]).toContain('href="/billing?aba=planos"')
    expect(cards[2]).not.toContain('Mais Popular')
  })

  it('has a title, a description, and what other places show of a link to it', async () => {
    const { body } = await ask('/')
    expect(body).toContain('<title>Prosa: o atendimento do seu negócio no WhatsApp</title>')
    for (const name of ['og:title', 'og:description', 'og:url', 'og:image'])
      expect(body).toContain(`property="${name}"`)
    expect(body).toContain('content="https://prosa.example/landing/live-chat-light.webp"')
  })

  it('is read and rendered once for visitors who come together', async () => {
    const before = reads
    await Promise.all(Array.from({ length: 50 }, () => ask('/')))
    expect(reads - before).toBeLessThanOrEqual(1)
  })

  it('marks invented stories as examples', async () => {
    const { body } = await ask('/')
    expect(body.match(/Exemplo<\/span><blockquote/g)).toHaveLength(3)
  })
})

describe('terms of use and privacy policy', () => {
  const paths = ['/terms', '/privacy']

  it('are what everybody reads there, signed in or not, without a script', async () => {
    for (const [path, title] of [
      ['/terms', 'Termos de uso'],
      ['/privacy?origem=anuncio', 'Política de privacidade'],
    ] as const)
      for (const cookie of ['', '__Host-prosa=token']) {
        const { statusCode, body, headers } = await ask(path, { cookie })
        expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
        expect(body).toContain(`<h1>${title}</h1>`)
        expect(body).toContain('<time dateTime="2027-03-01">1 de março de 2027</time>')
        expect(body).not.toContain('<script')
        expect(body).not.toMatch(/ (style|on\w+)="/)
      }
    expect((await ask('/terms/outra')).body).not.toContain('<h1>Termos de uso</h1>')
  })

  it('name who sells as it was filled in, and say what was not', async () => {
    for (const path of paths) {
      const { body } = await ask(path)
      expect(body).toContain('Loja &lt;Exemplo&gt;')
      expect(body.match(/<dd><em>ainda não informado<\/em>/g)?.length).toBeGreaterThanOrEqual(3)
      expect(body).toContain('ainda não preencheu todos os dados de quem vende')
    }
    const { body: privacy } = await ask('/privacy')
    expect(privacy).toContain('href="mailto:dados@example.com"')
    expect(privacy).toContain('Cópias de segurança: 14 dias.')
    expect(privacy).toContain('como a Kiwify os enviou: 90 dias.')
  })

  it('say what follows the end of a plan here', async () => {
    expect((await ask('/terms')).body).toContain('depois nada mais é enviado até você escolher um plano')
  })

  it('are linked from the landing page', async () => {
    const { body } = await ask('/')
    for (const path of paths) expect(body).toContain(`href="${path}"`)
  })
})
