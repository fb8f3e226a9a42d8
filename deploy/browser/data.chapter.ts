import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { until } from '@prosa/kernel/testing/until'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAdmin } from '../test/give-role.ts'
import type { Visitor } from '../test/visitor.ts'
import { findUser } from './find-user.ts'
import { sayWhy } from './say-why.ts'
import { signIn } from './sign-in.ts'
import { openWindow, type Stage } from './stage.ts'

const rowsIn = (text: string) => text.split('\n').filter((line) => line !== '')

/** Two tenants and an analyst, each in a window of their own. */
export const dataChapter = (on: () => Stage) =>
  describe('Dados', () => {
    let shop: Stage
    let other: Stage
    let rita: Visitor
    let bia: Visitor
    let key: string

    const enter = async (visitor: Visitor) => {
      const window = await openWindow(on())
      await signIn(window.page, visitor)
      return window
    }
    const visit = (page: Page, path: string) => page.goto(`${on().product.url}${path}`)
    const download = async ({ page, button }: Stage) => {
      const saved = page.waitForEvent('download')
      await button('Baixar').click()
      const file = await saved
      await page.getByText(/^Pronto, nos seus downloads: /).waitFor()
      return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
    }

    beforeAll(async () => {
      const { product } = on()
      ;[rita, bia] = [await product.visitor().register(), await product.visitor().register()]
      await rita.post('/api/whatsapp/contacts', { phone: '5511988776601' })
      await bia.post('/api/whatsapp/contacts', { phone: '5511988776602' })
      shop = await enter(rita)
      other = await enter(bia)
    }, 60_000)
    afterAll(async () => {
      await shop?.close()
      await other?.close()
    })

    it('gives a subscriber a key, by the keyboard, once', async () => {
      const { page, button, dialog, sees } = shop
      await visit(page, '/settings?secao=integracoes')
      await page.getByText('Nenhuma chave ainda').waitFor()
      await sees('data-01-no-key')
      await button('Criar chave').focus()
      await page.keyboard.press('Enter')
      await page.keyboard.type('Planilha')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Space')
      await dialog().getByLabel('Incluir os dados pessoais dos meus contatos').focus()
      await page.keyboard.press('Space')
      await dialog().getByText('Quem tiver esta chave lê nomes').waitFor()
      await sees('data-02-create-key')
      await dialog().getByRole('textbox', { name: 'Nome' }).focus()
      await page.keyboard.press('Enter')
      await dialog('Copie a chave Planilha').waitFor()
      key = (await page.getByTestId('api-key').textContent()) ?? ''
      expect(key).toMatch(/^prosa_/)
      await sees('data-03-key-shown')
      await page.keyboard.press('Enter')
      await page.getByText('Ler os eventos, ler as tabelas desta conta; eventos e tabelas com dados pessoais').waitFor()
      await sees('data-04-keys')
      expect(await page.content()).not.toContain(key)
    })

    it('shows and downloads what happened in the own account, and nothing of another', async () => {
      const { page, button, sees } = shop
      await visit(page, '/data')
      await button('Ver as primeiras linhas').click()
      await page.getByRole('region', { name: 'Linhas', exact: true }).waitFor()
      await sees('data-05-query')
      const own = await download(shop)
      expect(own.name).toBe('eventos.ndjson')
      expect(own.text).toContain('prosa.contacts.contact-added.v1')
      expect(own.text).not.toMatch(/5511988776601|5511988776602/)
      await page.getByLabel('Incluir os dados pessoais dos meus contatos').check()
      const personal = await download(shop)
      expect(personal.text).toContain('5511988776601')
      await visit(other.page, '/data?pessoais=sim')
      const foreign = await download(other)
      expect(foreign.text).toContain('5511988776602')
      expect(foreign.text).not.toContain('5511988776601')
    })

    it('says what each command does, which then reads the same with the key', async () => {
      const { page, button } = shop
      const tenant = rowsIn(await rita.get<string>('/api/streams/events?type=prosa.contacts.contact-added.v1'))
      const run = async (tool: string, program: string, option: string) => {
        await visit(page, '/data?tipo=prosa.contacts.contact-added.v1')
        await button(tool).click()
        const text = (await page.getByLabel(`Comando para ${tool}`).textContent()) ?? ''
        const command = text.replace(/-o '[^']*'/, '-o -').replaceAll('localhost', '127.0.0.1')
        const env = { ...process.env, PROSA_KEY: key }
        const { stdout } = await promisify(execFile)(program, [option, command], { env, cwd: tmpdir() })
        return rowsIn(stdout)
      }
      const byCurl = await run('curl', 'sh', '-c')
      expect(byCurl).toHaveLength(tenant.length)
      expect(byCurl.join()).toContain('5511988776601')
      expect(await run('Python', 'python3', '-c')).toHaveLength(tenant.length)
    })

    it('explains each event, and shows the next one as it happens', async () => {
      const { page, button, sees } = shop
      await visit(page, '/data?aba=catalogo&busca=contact-added')
      await page.locator('summary').filter({ hasText: 'contact-added' }).first().click()
      await button('Acompanhar ao vivo').click()
      await page.getByText(/^O último, de hoje/).waitFor()
      await sees('data-06-catalogue')
      const shown = () => page.getByLabel('O último evento').textContent()
      const before = await shown()
      await rita.post('/api/whatsapp/contacts', { phone: '5511988776603' })
      await until(async () => (await shown()) !== before)
      await button('Parar de acompanhar').click()
    })

    it('is all that somebody sees whom an administrator made an analyst', async () => {
      const { product } = on()
      const [admin, lia] = [await product.visitor().register(), await product.visitor().register()]
      await makeAdmin(product, admin)
      const office = await enter(admin)
      await visit(office.page, '/admin?aba=usuarios')
      await sayWhy(office)
      await findUser(office.page, lia.email)
      await office.page.getByRole('button', { name: /^Ações de / }).click()
      await office.page.getByRole('menuitem', { name: 'Gerenciar' }).click()
      await office
        .dialog(/^Gerenciar/)
        .getByRole('button', { name: 'Tornar analista' })
        .click()
      await office.sees('data-07-make-analyst')
      await office.dialog('Tornar analista?').getByRole('button', { name: 'Tornar analista' }).click()
      await office.page.getByText('Analista', { exact: true }).waitFor()
      await office.close()

      const desk = await enter(lia)
      await visit(desk.page, '/live-chat')
      await desk.page.getByText(/Ninguém é reconhecível/).waitFor()
      expect(new URL(desk.page.url()).pathname).toBe('/data')
      await desk.sees('data-08-analyst')
      const all = await download(desk)
      expect(new Set(rowsIn(all.text).map((line) => JSON.parse(line).tenant)).size).toBeGreaterThan(2)
      expect(all.text).not.toMatch(/55119887766|@/)
      await desk.page.getByRole('tab', { name: 'Chaves de API' }).click()
      await desk.page.getByText('Nenhuma chave ainda').waitFor()
      await desk.sees('data-09-analyst-keys')
      await visit(desk.page, '/profile')
      await desk.page.getByRole('heading', { name: 'Perfil' }).waitFor()
      await desk.close()
    })
  })
