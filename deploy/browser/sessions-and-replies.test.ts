import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readQrCode } from '@prosa/sandbox/load/read-qr-code'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Product, startProduct } from '../test/product.ts'
import { type Browser, noChromium, openChromium } from './chromium.ts'
import { look } from './pictures.ts'
import { signIn } from './sign-in.ts'
import { addPhone, orderFault, type SimulatedPerson } from './simulated-phone.ts'

const root = join(import.meta.dirname, '../..')

let product: Product
let browser: Browser
let page: Page
let shop: SimulatedPerson

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const dialog = (name?: string) => page.getByRole('dialog', { name, exact: true })

/** What axe finds does not keep the flow from going on. */
const sees = async (name: string, prepare?: () => Promise<unknown>) =>
  expect.soft(await look(page, name, prepare)).toEqual([])

/** The phone scans what the browser shows. */
const scanShown = async () => {
  const image = page.getByRole('dialog').getByAltText('QR Code para conectar o WhatsApp')
  await shop.scan(readQrCode((await image.getAttribute('src')) ?? ''))
}

describe.skipIf(noChromium)(`sessions and quick replies in a real browser${noChromium}`, { timeout: 120_000 }, () => {
  beforeAll(async () => {
    await promisify(execFile)(process.execPath, [join(root, 'scripts/build-local.mjs')], { cwd: root })
    product = await startProduct({ webFolder: join(root, 'web/dist/simulator') })
    browser = await openChromium()
    page = await browser.context.newPage()
    await signIn(page, await product.visitor().register())
    shop = await addPhone(product.url, 'Padaria Sol', '11900000001')
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await product?.stop()
  })

  afterEach(() => expect(browser.faults).toEqual([]))

  it('connects a number by QR code or by a code to type', async () => {
    await page.goto(`${product.url}/settings`)
    await page.getByText('Nenhuma conexão ainda').waitFor()
    await sees('connections-01-none')
    await button('Adicionar Conexão').click()
    await page.getByLabel('Nome da conexão').fill('Padaria Sol')
    await sees('connections-02-name')
    await button('Adicionar').click()
    await dialog('Conectar WhatsApp').getByText('QR Code pronto - Escaneie agora').waitFor()
    await sees('connections-03-qr-code')

    await button('Conectar com código').click()
    await button('Gerar código').click()
    await page.getByText('Informe o número do telefone com DDD.').waitFor()
    await sees('connections-04-whose-code')
    await page.getByLabel('Telefone do WhatsApp').fill('11900000001')
    await button('Gerar código').click()
    const code = page.getByRole('status', { name: 'Código para digitar no celular' })
    await code.waitFor()
    await sees('connections-05-code')
    await shop.enterCode(await code.innerText())
    await page.getByText('Conexão Estabelecida!').waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('(11) 90000-0001').waitFor()
    await sees('connections-06-connected')
  })

  it('disconnects, connects again, says what went wrong, and deletes', async () => {
    await button('Ações de Padaria Sol').click()
    await page.getByRole('menuitem', { name: 'Desconectar' }).click()
    await dialog('Desconectar WhatsApp').waitFor()
    await sees('connections-07-disconnecting')
    await dialog('Desconectar WhatsApp').getByRole('button', { name: 'Desconectar' }).click()
    await page.getByText(/Desconectado desde/).waitFor()
    await dialog('Desconectar WhatsApp').waitFor({ state: 'detached' })
    await sees('connections-08-disconnected')

    await button('Atualizar').click()
    await button('Ver QR Code').click()
    await scanShown()
    await page.getByText('Conexão Estabelecida!').waitFor()
    await dialog('Conectar WhatsApp').getByRole('button', { name: 'Fechar' }).click()
    await dialog('Conectar WhatsApp').waitFor({ state: 'detached' })
    await orderFault(product.url, { name: 'refuse-logins', code: '403' })
    await orderFault(product.url, { name: 'drop-line', phoneId: shop.id })
    await button('Atualizar').waitFor()
    await sees('connections-09-refused')

    await button('Ações de Padaria Sol').click()
    await page.getByRole('menuitem', { name: 'Excluir' }).click()
    await dialog('Excluir conexão').waitFor()
    await sees('connections-10-deleting')
    await dialog('Excluir conexão').getByRole('button', { name: 'Excluir' }).click()
    await page.getByText('Nenhuma conexão ainda').waitFor()
  })

  it('keeps quick replies: creates, corrects, switches off, deletes', async () => {
    await page.getByRole('link', { name: 'Respostas Rápidas' }).click()
    await page.getByText('Nenhuma resposta rápida ainda').waitFor()
    await sees('replies-01-none')
    const add = async (shortcut: string, content: string) => {
      await button('Nova Resposta Rápida').click()
      await page.getByLabel('Atalho').fill(shortcut)
      await page.getByLabel('Conteúdo').fill(content)
      await button('Criar').click()
    }
    await add('', '')
    await page.getByText('Informe o atalho.').waitFor()
    await page.getByText('Atalho e conteúdo são obrigatórios').waitFor()
    await sees('replies-02-missing')
    await button('Cancelar').click()
    await dialog().waitFor({ state: 'detached' })
    await add('pix', 'Nossa chave Pix é o CNPJ da padaria: 12.345.678/0001-90.')
    await page.getByRole('heading', { name: '/pix' }).waitFor()
    await dialog().waitFor({ state: 'detached' })
    await add('horario', 'Abrimos de segunda a sábado, das 6h às 20h.\nNo domingo, das 7h às 13h.')
    await page.getByRole('heading', { name: '/horario' }).waitFor()
    await dialog().waitFor({ state: 'detached' })
    await add('pix', 'Outra chave')
    await page
      .getByRole('dialog')
      .getByText(/atalho/i)
      .last()
      .waitFor()
    await sees('replies-03-taken')
    await button('Cancelar').click()
    await dialog().waitFor({ state: 'detached' })

    await button('Editar /horario').click()
    await page.getByLabel('Conteúdo').fill('Abrimos todos os dias, das 6h às 20h.')
    await sees('replies-04-editing')
    await button('Salvar').click()
    // The new text stands in the form until the dialog has gone.
    await dialog().waitFor({ state: 'detached' })
    await page.getByText('Abrimos todos os dias, das 6h às 20h.').waitFor()
    await page.getByRole('switch', { name: 'Oferecer /horario no bate-papo' }).click()
    await page.getByText('Inativo', { exact: true }).waitFor()
    await sees('replies-05-inactive')
    await button('Excluir /horario').click()
    await dialog('Excluir /horario').waitFor()
    await sees('replies-06-deleting')
    await dialog('Excluir /horario').getByRole('button', { name: 'Excluir' }).click()
    await page.getByRole('heading', { name: '/horario' }).waitFor({ state: 'detached' })
  })

  it('shows the same numbers as sessions with tokens', async () => {
    await page.goto(`${product.url}/whatsapp-sessions`)
    await page.getByText('Nenhuma sessão ainda').waitFor()
    await sees('sessions-01-none')
    await button('Adicionar Sessão').click()
    await button('Adicionar').click()
    await page.getByText('Nome da sessão é obrigatório').waitFor()
    await sees('sessions-02-name')
    await page.getByLabel('Nome da instância').fill('Loja do centro')
    await button('Adicionar').click()
    await dialog('QR Code de Loja do centro').getByAltText('QR Code para conectar o WhatsApp').waitFor()
    await sees('sessions-03-qr-code')
    await button('Fechar').click()
    await page.getByText('QR Pronto').waitFor()
    await sees('sessions-04-qr-ready')
    await button('QR CODE').click()
    await scanShown()
    await page.getByText('Sessão conectada').waitFor()
    await sees('sessions-05-linked')
    await button('Fechar').click()
    await page.getByText('Ativa', { exact: true }).waitFor()
    expect(await button('QR CODE').isDisabled()).toBe(true)
    await sees('sessions-06-active')
    await shop.unlinkAll()
    await page.getByText('Inativa', { exact: true }).waitFor()
    await sees('sessions-07-inactive')
    await button('Remover a sessão Loja do centro').click()
    await dialog('Remover sessão').waitFor()
    await sees('sessions-08-deleting')
    await dialog('Remover sessão').getByRole('button', { name: 'Remover' }).click()
    await page.getByText('Nenhuma sessão ainda').waitFor()
  })
})
