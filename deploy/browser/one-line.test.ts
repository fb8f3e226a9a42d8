import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Product } from '../test/product.ts'
import { makeFewWhySituations } from '../test/why-situations.ts'
import { type Browser, noChromium } from './chromium.ts'
import { dataChapter } from './data.chapter.ts'
import { eraseAccount } from './erase-account.chapter.ts'
import { isLongWalk } from './long-walk.ts'
import { look } from './pictures.ts'
import { sayWhy } from './say-why.ts'
import { connectionsChapter } from './settings/connections.chapter.ts'
import { hardCases } from './settings/hard-cases.chapter.ts'
import { quickRepliesChapter } from './settings/quick-replies.chapter.ts'
import { sessionsChapter } from './settings/sessions.chapter.ts'
import { openSettingsWindow, type SettingsStage } from './settings/settings-stage.ts'
import { webhooksChapter } from './settings/webhooks.chapter.ts'
import { signIn } from './sign-in.ts'
import { openStage, openWindow, type Stage } from './stage.ts'
import { unchangedPolls } from './unchanged-polls.chapter.ts'
import { answerInPanel } from './why.chapter.ts'

let stage: Stage
let product: Product
let browser: Browser
let prosa: Page
let phones: Page

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const pictures = async (page: Page, name: string) => {
  if (isLongWalk) expect(await look(page, name)).toEqual([])
}
const phoneOf = (name: string) => phones.getByRole('region', { name })

describe.skipIf(noChromium)(`a subscriber in a real browser${noChromium}`, { timeout: 240_000 }, () => {
  beforeAll(async () => {
    stage = await openStage({ realNetworkToo: true })
    product = stage.product
    browser = stage.browser
    prosa = stage.page
    phones = await browser.context.newPage()
  }, 120_000)
  afterAll(() => stage?.close())
  afterEach(() => expect(browser.faults).toEqual([]))

  it('opens an account from the landing page', async () => {
    await prosa.goto(product.url)
    await pictures(prosa, '01-landing')
    await prosa
      .getByRole('link', { name: /Teste Gratuito/ })
      .first()
      .click()
    await prosa.getByLabel('Nome', { exact: true }).fill('Marina')
    await prosa.getByLabel('Sobrenome').fill('Alves')
    await prosa.getByLabel('E-mail').fill('marina@padariasol.com.br')
    await prosa.getByLabel('Senha', { exact: true }).fill('pão de queijo')
    await prosa.getByLabel('Confirmar senha', { exact: true }).fill('pão de queijo')
    await pictures(prosa, '02-register')
    await button(prosa, 'Criar conta').click()
    await prosa.getByText('Você tem 10 dias restantes do período gratuito').waitFor()
    await pictures(prosa, '03-start')
  })

  it('connects a number by scanning the QR code with a simulated phone', async () => {
    await prosa.goto(`${product.url}/settings`)
    await prosa.getByRole('heading', { name: 'Conexões' }).waitFor()
    await button(prosa, 'Adicionar Conexão').first().click()
    await prosa.getByLabel('Nome da conexão').fill('Padaria Sol')
    await button(prosa, 'Adicionar').click()
    await prosa.getByRole('dialog').getByText('QR Code pronto - Escaneie agora').waitFor()

    await phones.goto(`${product.url}/simulador`)
    await phones.getByText('Nenhum telefone ainda').waitFor()
    expect(await look(phones, '04-no-phones')).toEqual([])
    for (const [name, number] of [
      ['Padaria Sol', '(11) 90000-0001'],
      ['Ana Souza', '(11) 98877-6655'],
    ] as const) {
      await phones.getByLabel('De quem é').fill(name)
      await phones.getByLabel('Número com DDD').fill(number)
      await button(phones, 'Adicionar telefone').click()
      await phoneOf(name).waitFor()
    }
    await button(phones, 'Escanear QR com Padaria Sol').click()
    await button(phones, /Ler o QR Code de Padaria Sol/).click()

    await prosa.getByText('Conexão Estabelecida!').waitFor()
    await prosa.getByRole('dialog').waitFor({ state: 'hidden' })
    await prosa.getByText('(11) 90000-0001').waitFor()
  })

  it('sees a message the moment it arrives, accepts, answers, sees two ticks, and finishes', async () => {
    await prosa.goto(`${product.url}/live-chat`)
    await prosa.getByText('Selecione uma conversa').waitFor()

    await phoneOf('Ana Souza')
      .getByRole('button', { name: /Padaria Sol/ })
      .click()
    const write = phoneOf('Ana Souza').getByLabel('Mensagem para Padaria Sol')
    await write.fill('Bom dia! Vocês abrem no domingo?')
    await write.press('Enter')

    const row = prosa.getByText('Bom dia! Vocês abrem no domingo?').first()
    await row.waitFor()
    await row.click()
    await button(prosa, /^Aceitar/).click()
    await button(prosa, /^Finalizar/).waitFor()

    const composer = prosa.getByPlaceholder('Digite uma mensagem ou / para respostas rápidas')
    await composer.fill('Bom dia, Ana! Abrimos das 7h às 13h.')
    await composer.press('Enter')
    await phoneOf('Ana Souza').getByText('Bom dia, Ana! Abrimos das 7h às 13h.').waitFor()
    const history = prosa.getByRole('log')
    await history.getByRole('img', { name: /^(entregue|lida)$/ }).waitFor()
    expect(await look(prosa, '05-answered')).toEqual([])
    expect(await look(phones, '06-phones')).toEqual([])

    await button(prosa, /^Finalizar/).click()
    await prosa.getByText('Resolvido', { exact: true }).waitFor()
    expect(await look(prosa, '07-resolved')).toEqual([])
    await write.fill('Obrigada!')
    await write.press('Enter')
    await button(prosa, /^Aceitar/).waitFor()
    await history.getByText('Obrigada!').waitFor()
  })

  // In `npm test` covered by `live-chat-banners.test.tsx` and the scenarios of the sessions service.
  if (isLongWalk)
    it('is notified when the line is lost, and that it came back', async () => {
      const [linked] = [...product.whatsapp.phones.values()]
      const device = linked?.companions()[0]
      if (!device) throw new Error('nothing is linked')
      product.whatsapp.faults.refuseLogins = ['503', '503']
      product.whatsapp.dropConnection(device)
      await prosa.getByText('WhatsApp desconectado').first().waitFor()
      await prosa.getByPlaceholder('Digite uma mensagem ou / para respostas rápidas').waitFor()
      await prosa.getByText('WhatsApp desconectado').first().waitFor({ state: 'detached' })
    })

  // In `npm test` covered by `deploy/test/api-docs.test.ts`.
  if (isLongWalk)
    it('finds the API described, with every route to open', async () => {
      await phones.goto(`${product.url}/api/docs`)
      await phones.getByRole('heading', { name: /^Prosa/ }).waitFor()
      await phones.getByText('Os canais de ajuda e as mensagens a eles.').click()
      await phones.getByText('Envia uma mensagem ao suporte.').click()
      await phones.getByText('Idempotency-Key', { exact: true }).waitFor()
    })

  it('signs out, and nothing of the session is left', async () => {
    await prosa
      .getByRole('button', { name: /Menu de Marina/ })
      .first()
      .click()
    await prosa.getByRole('menuitem', { name: 'Sair' }).click()
    await prosa.waitForURL(/\/login/)
    await pictures(prosa, '08-login')
    await prosa.goto(`${product.url}/live-chat`)
    await prosa.getByRole('tab', { name: 'Entrar' }).waitFor()
    expect(await prosa.getByText('Conversas').count()).toBe(0)
  })

  it('sets a new password over a link, and another one in the profile', async () => {
    await phones.close()
    await prosa.goto(`${product.url}/login`)
    await prosa.getByLabel('E-mail').fill('marina@padariasol.com.br')
    await button(prosa, 'Esqueci minha senha').click()
    const dialog = prosa.getByRole('dialog', { name: 'Esqueci minha senha' })
    await dialog.waitFor()
    expect(await look(prosa, '09-forgot-password')).toEqual([])
    await prosa.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await button(prosa, 'Esqueci minha senha').click()
    await button(prosa, 'Enviar link').click()

    await prosa.getByRole('heading', { name: 'Redefinir senha' }).waitFor()
    await prosa.getByLabel('Nova senha', { exact: true }).fill('girafa azul')
    await prosa.getByLabel('Confirmar nova senha', { exact: true }).fill('girafa verde')
    await button(prosa, 'Redefinir senha').click()
    await prosa.getByText('As senhas não coincidem.').waitFor()
    expect(await look(prosa, '10-reset-password')).toEqual([])
    await prosa.getByLabel('Confirmar nova senha', { exact: true }).fill('girafa azul')
    await button(prosa, 'Redefinir senha').click()
    await prosa.getByRole('heading', { name: 'Senha Redefinida!' }).waitFor()
    expect(await look(prosa, '11-password-set')).toEqual([])

    await prosa.getByRole('link', { name: 'Fazer Login' }).click()
    await prosa.getByLabel('E-mail').fill('marina@padariasol.com.br')
    await prosa.getByLabel('Senha', { exact: true }).fill('girafa azul')
    await button(prosa, 'Entrar').click()
    await prosa.getByRole('heading', { name: 'Olá, Marina' }).waitFor()
    await prosa.goto(`${product.url}/profile`)
    await prosa.getByLabel('Nome', { exact: true }).fill('Mari')
    await button(prosa, 'Salvar alterações').click()
    await prosa.getByText('Mari Alves').waitFor()
    await prosa.getByLabel('Senha atual', { exact: true }).fill('pão de queijo')
    await prosa.getByLabel('Nova senha', { exact: true }).fill('girafa verde')
    await prosa.getByLabel('Confirmar nova senha', { exact: true }).fill('girafa verde')
    await button(prosa, 'Trocar senha').click()
    await prosa.getByText('A senha atual não confere.').first().waitFor()
    await pictures(prosa, '12-profile')
    await prosa.getByLabel('Senha atual', { exact: true }).fill('girafa azul')
    await button(prosa, 'Trocar senha').click()
    await prosa.getByText('Senha trocada').waitFor()

    await prosa.goto(`${product.url}/reset-password`)
    await prosa.getByRole('heading', { name: 'Link inválido' }).waitFor()
    expect(await look(prosa, '13-half-a-link')).toEqual([])
  })

  eraseAccount(() => stage, { email: 'marina@padariasol.com.br', password: 'girafa verde' })
  unchangedPolls(() => stage)
  dataChapter(() => stage)

  it('answers “Por quê?” in the panel within four presses, with who, when, cause, rule, before and after', async () => {
    const { admin, situations } = await makeFewWhySituations(product)
    const panel = await openWindow(stage)
    await signIn(panel.page, admin)
    await panel.page.goto(`${product.url}/admin`)
    await sayWhy(panel)
    for (const situation of situations) await answerInPanel(panel, situation)
    expect(panel.browser.faults).toEqual([])
    await panel.close()
  })

  // docs/tests.md names the tests of `npm test` that cover this.
  describe.runIf(isLongWalk)('with sessions and quick replies', () => {
    let settings: SettingsStage
    beforeAll(async () => {
      await prosa.goto('about:blank')
      settings = await openSettingsWindow(stage)
    }, 120_000)
    afterAll(() => settings?.close())
    afterEach(() => expect(settings.browser.faults).toEqual([]))

    const onStage = () => settings
    connectionsChapter(onStage)
    quickRepliesChapter(onStage)
    webhooksChapter(onStage)
    sessionsChapter(onStage)
    hardCases(onStage)
  })
})
