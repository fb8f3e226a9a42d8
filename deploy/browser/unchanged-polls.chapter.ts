import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import type { Stage } from './stage.ts'

const root = join(import.meta.dirname, '../..')
const path = '/api/whatsapp/contacts?status=waiting'

interface Seen {
  statuses: number[]
  items: { phone: string }[][]
  isSame: boolean[]
}

/** Bundles the web app's HTTP calls as global `prosaHttp`. */
const httpOfTheWebApp = async (): Promise<string> => {
  const entryPoints = [join(root, 'web/src/lib/http/http.ts')]
  const { outputFiles } = await build({
    entryPoints,
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'prosaHttp',
    footer: { js: 'globalThis.prosaHttp = prosaHttp' },
  })
  return outputFiles[0]?.text ?? ''
}

/** Calls of the web app without its screens. Signs another user in. */
export const unchangedPolls = (on: () => Stage) => {
  const inPage = async (calls: string): Promise<Seen> => {
    const { page } = on()
    const statuses: number[] = []
    page.on('response', (response) => {
      if (response.url().endsWith(path)) statuses.push(response.status())
    })
    const pages = await page.evaluate<Pick<Seen, 'items' | 'isSame'>>(`(async () => {
      const { request, getPage } = prosaHttp
      const lists = []
      const read = async () => lists.push((await getPage('${path}')).items)
      ${calls}
      return { items: lists, isSame: lists.map((list, index) => list === lists[index - 1]) }
    })()`)
    page.removeAllListeners('response')
    return { statuses, ...pages }
  }

  it('asks for nothing twice that has not changed, and shows at once what has', async () => {
    const { page, product } = on()
    await page.goto(`${product.url}/login`)
    await page.evaluate(await httpOfTheWebApp())
    const person = { firstName: 'Marina', lastName: 'Alves', email: 'marina@padaria.com.br', password: 'pão de queijo' }
    await inPage(`await request('POST', '/api/auth/register', ${JSON.stringify(person)}); await read()`)
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
}
