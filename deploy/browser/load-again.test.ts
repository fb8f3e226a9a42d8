import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { serveWebApp } from '../src/web-app.ts'
import { noChromium, openChromium } from './chromium.ts'

const web = join(import.meta.dirname, '../../web')

/** The product's own page, with a program of one line. */
const pageFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'prosa-load-again-'))
  const index = await readFile(join(web, 'index.html'), 'utf8')
  await writeFile(join(folder, 'index.html'), index.replace('/src/main.tsx', '/assets/main.js'))
  for (const name of ['load-again.js', 'theme-choice.js'])
    await writeFile(join(folder, name), await readFile(join(web, 'public', name)))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'assets/main.js'), "document.getElementById('root').textContent = 'Entrar'")
  return folder
}

const inBrowser = async (walk: (scene: { url: string; page: Page; alive: { is: boolean } }) => Promise<void>) => {
  const folder = await pageFolder()
  const app = fastify()
  const alive = { is: false }
  app.get('/health/live', async (_, reply) => reply.code(alive.is ? 200 : 503).send({}))
  await serveWebApp(app, folder)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const browser = await openChromium()
  try {
    await walk({ url, page: await browser.context.newPage(), alive })
    expect(browser.faults).toEqual([])
  } finally {
    await browser.close()
    await app.close()
    await rm(folder, { recursive: true })
  }
}

describe.skipIf(noChromium)(`a page whose program is lost while the server restarts${noChromium}`, () => {
  it('says that it opens, and opens once the server answers', { timeout: 60_000 }, () =>
    inBrowser(async ({ url, page, alive }) => {
      await page.route('**/assets/main.js', (route) => (alive.is ? route.continue() : route.abort()))
      await page.goto(`${url}/live-chat`)
      const root = page.locator('#root')
      await root.getByText('Abrindo o Prosa…').waitFor()
      alive.is = true
      await root.getByText('Entrar').waitFor()
    }),
  )

  it('says so, and is loaded five times at most, where the program never comes', { timeout: 60_000 }, () =>
    inBrowser(async ({ url, page, alive }) => {
      alive.is = true
      let asked = 0
      await page.route('**/assets/main.js', (route) => {
        asked += 1
        return route.abort()
      })
      await page.goto(`${url}/live-chat`)
      await page.locator('#root').getByText('O Prosa não abriu.').waitFor()
      expect(asked).toBe(6)
    }),
  )
})

describe.skipIf(noChromium)(`a page whose program hangs${noChromium}`, () => {
  const whileItHangs = (walk: (page: Page, arrive: () => void) => Promise<void>) =>
    inBrowser(async ({ url, page }) => {
      const arrival = new AbortController()
      let asked = 0
      await page.clock.install()
      await page.route('**/assets/main.js', async (route) => {
        asked += 1
        if (asked === 1 && !arrival.signal.aborted) await once(arrival.signal, 'abort')
        // The reload may have cancelled it.
        await route.continue().catch(() => undefined)
      })
      await page.goto(`${url}/live-chat`, { waitUntil: 'commit' })
      await page.locator('#root').waitFor({ state: 'attached' })
      expect(await page.getByRole('button').count()).toBe(0)
      await page.clock.fastForward(10_000)
      await page.getByText('Abrindo o Prosa…').waitFor()
      await walk(page, () => arrival.abort())
      await page.locator('#root').getByText('Entrar').waitFor()
      await page.getByText('Abrindo o Prosa…').waitFor({ state: 'detached' })
      arrival.abort()
    })

  it('offers after some seconds to load it again', { timeout: 60_000 }, () =>
    whileItHangs((page) => page.getByRole('button', { name: 'Carregar de novo' }).click()),
  )

  it('opens without a press when its program arrives after all', { timeout: 60_000 }, () =>
    whileItHangs(async (_page, arrive) => arrive()),
  )
})
