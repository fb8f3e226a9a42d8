import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Product, startProduct } from '../test/product.ts'
import { type Browser, noChromium, openChromium } from './chromium.ts'

const root = join(import.meta.dirname, '../..')
const path = '/api/whatsapp/contacts?status=waiting'

interface Seen {
  statuses: number[]
  items: { phone: string }[][]
  isSame: boolean[]
}

describe.skipIf(noChromium)(`polling in a real browser${noChromium}`, { timeout: 60_000 }, () => {
  let webFolder: string
  let product: Product
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    webFolder = await mkdtemp(join(tmpdir(), 'prosa-web-'))
    await writeFile(join(webFolder, 'index.html'), '<!doctype html><title>Prosa</title>')
    await build({
      entryPoints: [join(root, 'web/src/lib/http.ts')],
      outfile: join(webFolder, 'assets/http.js'),
      bundle: true,
      format: 'esm',
    })
    product = await startProduct({ webFolder })
    browser = await openChromium()
    page = await browser.context.newPage()
    await page.goto(product.url)
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await product?.stop()
    await rm(webFolder, { recursive: true, force: true })
  })

  /** What the web app's own calls get, and what went over the wire. */
  const inPage = async (calls: string): Promise<Seen> => {
    const statuses: number[] = []
    page.on('response', (response) => {
      if (response.url().endsWith(path)) statuses.push(response.status())
    })
    const pages = await page.evaluate<Pick<Seen, 'items' | 'isSame'>>(`(async () => {
      const { request, getPage } = await import('/assets/http.js')
      const lists = []
      const read = async () => lists.push((await getPage('${path}')).items)
      ${calls}
      return { items: lists, isSame: lists.map((list, index) => list === lists[index - 1]) }
    })()`)
    page.removeAllListeners('response')
    return { statuses, ...pages }
  }

  it('asks for nothing twice that has not changed, and shows at once what has', async () => {
    const person = { firstName: 'Marina', lastName: 'Alves', email: 'marina@padaria.com.br', password: 'pão de queijo' }
    await inPage(`await request('POST', '/api/auth/register', ${JSON.stringify(person)}); await read()`)
    // It may take a moment until the server is at rest.
    const idle = await inPage('do await read(); while (lists.length < 500 && lists.at(-1) !== lists.at(-2))')
    expect(idle.statuses.at(-1)).toBe(304)
    expect(idle.isSame.at(-1)).toBe(true)
    const changing = await inPage(`
      await read()
      await request('POST', '/api/whatsapp/contacts', { phone: '5511988776655' })
      await read()
      await read()`)
    expect(changing.items.map((list) => list.length)).toEqual([0, 1, 1])
    expect(changing.statuses[1]).toBe(200)
  })
})
