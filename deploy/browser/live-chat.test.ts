import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { QuickReply } from '@prosa/contracts/http/quick-replies'
import { until } from '@prosa/kernel/testing/until'
import { examplePicture, examplePictureSize } from '@prosa/sandbox/demo/example-picture'
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Product, startProduct } from '../test/product.ts'
import type { Visitor } from '../test/visitor.ts'
import { type Browser, noChromium, openChromium } from './chromium.ts'
import { look } from './pictures.ts'
import { signIn } from './sign-in.ts'
import { addPhone, orderFault, type SimulatedPerson } from './simulated-phone.ts'

const root = join(import.meta.dirname, '../..')
const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n')
const placeholder = 'Digite uma mensagem ou / para respostas rápidas'

let product: Product
let browser: Browser
let page: Page
let marina: Visitor
let shop: SimulatedPerson
let ana: SimulatedPerson
let bruno: SimulatedPerson
let clara: SimulatedPerson

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const dialog = (name: string | RegExp) => page.getByRole('dialog', { name, exact: typeof name === 'string' })
const row = (name: string) => page.getByRole('listbox').getByRole('option', { name })
const log = () => page.getByRole('log')
const bubble = (text: string | RegExp) => log().locator('[id^="message-"]').filter({ hasText: text }).last()
const composer = () => page.getByPlaceholder(placeholder)

/** What axe finds does not keep the flow from going on. */
const sees = async (name: string, prepare?: () => Promise<unknown>) =>
  expect.soft(await look(page, name, prepare)).toEqual([])

const send = async (text: string) => {
  await composer().fill(text)
  await composer().press('Enter')
}

/** A picture of the kind that stickers are, painted by the browser itself. */
const sticker = async () =>
  Buffer.from(
    await page.evaluate(() => {
      const canvas = document.createElement('canvas')
      canvas.width = canvas.height = 256
      const paint = canvas.getContext('2d')
      if (!paint) throw new Error('no canvas')
      paint.fillStyle = '#e9b44c'
      paint.arc(128, 128, 100, 0, 2 * Math.PI)
      paint.fill()
      paint.fillStyle = '#5b3a1e'
      for (const x of [92, 164]) paint.fillRect(x - 10, 84, 20, 32)
      paint.lineWidth = 14
      paint.beginPath()
      paint.arc(128, 136, 52, 0.2, Math.PI - 0.2)
      paint.stroke()
      return canvas.toDataURL('image/webp').split(',')[1] ?? ''
    }),
    'base64',
  )

describe.skipIf(noChromium)(`live chat in a real browser${noChromium}`, { timeout: 120_000 }, () => {
  beforeAll(async () => {
    await promisify(execFile)(process.execPath, [join(root, 'scripts/build-local.mjs')], { cwd: root })
    product = await startProduct({ webFolder: join(root, 'web/dist/simulator') })
    browser = await openChromium()
    // Adding a contact opens a tab of WhatsApp's own site.
    await browser.context.route('https://wa.me/**', (route) => route.fulfill({ body: 'WhatsApp' }))
    marina = await product.visitor().register()
    page = await browser.context.newPage()
    await signIn(page, marina)
    ;[shop, ana, bruno, clara] = await Promise.all([
      addPhone(product.url, 'Padaria Sol', '11900000001'),
      addPhone(product.url, 'Ana Souza', '11988776655'),
      addPhone(product.url, 'Bruno Lima', '21987654321'),
      addPhone(product.url, 'Clara Dias', '31991234567'),
    ])
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await product?.stop()
  })

  afterEach(() => expect(browser.faults).toEqual([]))

  it('leads to the first connection, and is empty but ready after it', async () => {
    await page.goto(`${product.url}/live-chat`)
    await page.getByText('WhatsApp desconectado').waitFor()
    await page.getByText('Conecte seu WhatsApp para ver suas conversas').waitFor()
    await sees('chat-01-no-connection')
    await marina.link(shop, 'Padaria Sol')
    await page.getByText('Quando um cliente escrever, a conversa aparece aqui.').waitFor()
    await page.getByText('WhatsApp desconectado').waitFor({ state: 'detached' })

    await button('Atalhos do teclado').click()
    await dialog('Atalhos do teclado').waitFor()
    await sees('chat-02-shortcuts')
    await button('Fechar').click()
    await button('Avisos de novas mensagens').click()
    await page.getByRole('menuitemcheckbox', { name: /Som/ }).waitFor()
    await sees('chat-03-alerts')
    await page.keyboard.press('Escape')
  })

  it('adds a contact by number, and says why one cannot be added', async () => {
    await button('Adicionar Contato').click()
    const phone = dialog('Adicionar Contato').getByLabel('Telefone')
    await phone.fill('119887')
    await button('Adicionar e Chamar').click()
    await page.getByText('Por favor, insira um número de telefone válido (10 ou 11 dígitos)').waitFor()
    await phone.fill('11912345678')
    await button('Adicionar e Chamar').click()
    await dialog('Adicionar Contato')
      .getByText(/WhatsApp/)
      .waitFor()
    await sees('chat-04-unknown-number')
    await phone.fill('21987654321')
    const opened = browser.context.waitForEvent('page')
    await button('Adicionar e Chamar').click()
    const tab = await opened
    expect(tab.url()).toBe('https://wa.me/5521987654321')
    await tab.close()
    await page.getByText('Nenhuma mensagem ainda').last().waitFor()
    await sees('chat-05-no-message')
  })

  it('shows what people send: text, pictures, voice, files and stickers', async () => {
    await ana.write(shop.number, 'Bom dia! Vocês fazem bolo de aniversário?')
    await ana.sendFile(shop.number, examplePicture(0), {
      kind: 'image',
      mediaType: 'image/png',
      caption: 'Queria um assim, olha: https://padariasol.com.br/bolos',
      ...examplePictureSize,
    })
    await ana.sendExample(shop.number, 'voice')
    await ana.sendFile(shop.number, pdf, {
      kind: 'document',
      mediaType: 'application/pdf',
      fileName: 'Lista de convidados.pdf',
    })
    await ana.sendFile(shop.number, await sticker(), {
      kind: 'sticker',
      mediaType: 'image/webp',
      width: 256,
      height: 256,
    })
    await row('Ana Souza').getByLabel('5 mensagens não lidas').waitFor()
    await row('Ana Souza').click()
    await page.getByRole('separator', { name: 'Novas mensagens' }).waitFor()
    await log().getByRole('img', { name: 'Figurinha' }).waitFor()
    await log()
      .getByRole('img', { name: /Queria um assim/ })
      .waitFor()
    await log().getByLabel('Baixar Lista de convidados.pdf').waitFor()
    await row('Ana Souza')
      .getByLabel(/não lida/)
      .waitFor({ state: 'detached' })
    await sees('chat-06-everything-in')

    await log()
      .getByRole('button', { name: /Abrir foto/ })
      .click()
    await dialog('Foto de Ana Souza').getByRole('img').waitFor()
    await sees('chat-07-picture')
    await page.keyboard.press('Escape')
    await log().getByRole('button', { name: 'Ouvir mensagem de voz' }).click()
    await log().getByRole('button', { name: 'Pausar mensagem de voz' }).waitFor()
    await log().getByRole('button', { name: 'Velocidade 1×' }).click()
    await log().getByRole('button', { name: 'Ouvir mensagem de voz' }).waitFor()
    await button(/^Aceitar/).click()
    await button(/^Finalizar/).waitFor()
  })

  it('follows a conversation: quotes, reactions, edits, deletions, typing', async () => {
    await bubble('bolo de aniversário').hover()
    await bubble('bolo de aniversário').getByLabel('Responder citando').click()
    await page.getByRole('group', { name: 'Respondendo a' }).waitFor()
    await send('Bom dia, Ana! Fazemos sim, com dois dias de antecedência.')
    const answer = await ana.heard(shop.number, ({ text }) => text.includes('antecedência'))
    expect(answer.quoted?.text).toContain('bolo de aniversário')
    await ana.write(shop.number, 'Que bom! Quero para sábado.', { quotedId: answer.id })
    const wrong = await ana.write(shop.number, 'Para 20 pessoas')
    const secret = await ana.write(shop.number, 'É surpresa do Bruno')
    await bubble('É surpresa do Bruno').waitFor()
    await ana.edit(shop.number, wrong.id, 'Para 30 pessoas')
    await ana.takeBack(shop.number, secret.id)
    await ana.react(shop.number, answer.id, '❤️')
    await log()
      .getByLabel(/Reação ❤️ de Ana Souza/)
      .waitFor()
    await bubble('Mensagem apagada').getByText('Ver original').click()
    await bubble('É surpresa do Bruno').waitFor()
    await bubble('Para 30 pessoas').getByText('editada').click()
    await bubble('Antes da edição').getByText('Para 20 pessoas').waitFor()

    await bubble('Para 30 pessoas').hover()
    await bubble('Para 30 pessoas').getByLabel('Reagir', { exact: true }).click()
    await dialog('Reagir à mensagem').waitFor()
    await sees('chat-08-reacting')
    await button(/Reagir com 👍/).click()
    await ana.heard(
      shop.number,
      ({ id, reactions }) => id === wrong.id && reactions.some(({ emoji }) => emoji === '👍'),
    )
    await ana.show(shop.number, 'composing')
    await page.getByText('digitando…').waitFor()
    await sees('chat-09-conversation')
    await ana.show(shop.number, 'paused')
  })

  it('sends a picture, a voice message and a quick reply, and says what WhatsApp refused', async () => {
    const choosing = page.waitForEvent('filechooser')
    await button('Anexar').click()
    await page.getByRole('menuitem', { name: 'Fotos, vídeos e áudios' }).click()
    await (await choosing).setFiles({ name: 'bolo.png', mimeType: 'image/png', buffer: examplePicture(1) })
    const caption = page.getByLabel('Legenda de bolo.png')
    await caption.fill('Este é o nosso de morango')
    await page.getByRole('group', { name: 'Arquivos para enviar' }).waitFor()
    await sees('chat-10-attaching')
    await caption.press('Enter')
    await ana.heard(shop.number, ({ kind, text }) => kind === 'image' && text === 'Este é o nosso de morango')

    await button('Gravar mensagem de voz').click()
    await page.getByRole('status').filter({ hasText: 'Gravando' }).waitFor()
    await page.getByRole('timer').filter({ hasText: '0:01' }).waitFor()
    await sees('chat-11-recording')
    await button('Enviar mensagem de voz').click()
    await ana.heard(shop.number, ({ kind, fromMe }) => kind === 'voice' && !fromMe)

    await composer().fill('/')
    await page.getByText('Você ainda não tem respostas rápidas ativas.').waitFor()
    for (const [shortcut, content] of [
      ['pix', 'Nossa chave Pix é o CNPJ da padaria: 12.345.678/0001-90.'],
      ['horario', 'Abrimos de segunda a sábado, das 6h às 20h, e no domingo das 7h às 13h.'],
    ])
      await marina.post<QuickReply>('/api/quick-replies', { shortcut, content })
    await composer().fill('')
    await page.reload()
    await composer().fill('/')
    await page.getByRole('listbox', { name: 'Respostas Rápidas' }).getByText('/horario').waitFor()
    await sees('chat-12-quick-replies', async () => {
      await composer().fill('')
      await composer().fill('/')
    })
    await composer().fill('/pi')
    await composer().press('Enter')
    await page.keyboard.press('Enter')
    await ana.heard(shop.number, ({ text }) => text.startsWith('Nossa chave Pix'))

    await orderFault(product.url, { name: 'refuse-messages', code: '463' })
    await send('Posso confirmar o pedido?')
    const refused = bubble('Posso confirmar o pedido?')
    await refused.getByRole('button', { name: 'Tentar novamente' }).waitFor()
    expect(await refused.getByRole('alert').innerText()).toMatch(/WhatsApp/)
    await sees('chat-13-refused')
    await refused.getByRole('button', { name: 'Tentar novamente' }).click()
    await ana.heard(shop.number, ({ text }) => text === 'Posso confirmar o pedido?')
  })

  it('finds what was said long ago, and comes back to now', async () => {
    const day = 86_400_000
    for (let at = 0; at < 90; at++)
      await bruno.write(shop.number, at === 4 ? 'O pão de girassol ainda existe?' : `Pedido número ${at} da semana`, {
        at: new Date(Date.now() - 12 * day + at * 3_000_000).toISOString(),
      })
    await row('Bruno Lima').getByLabel('90 mensagens não lidas').waitFor()
    const search = page.getByRole('combobox', { name: 'Buscar atendimento e mensagens' })
    await search.fill('zebra')
    await page.getByText('Nada com “zebra” nos nomes, nos telefones e nas mensagens.').waitFor()
    await search.fill('GIRASSÓL')
    const found = page.getByRole('listbox', { name: 'Resultados da busca' }).getByRole('option')
    await found.filter({ hasText: 'O pão de girassol' }).click()
    await bubble('O pão de girassol').waitFor()
    await sees('chat-14-found')
    await button('Limpar busca').click()
    await button(/^(Mensagens recentes|\d+ novas? mensage)/).click()
    await bubble('Pedido número 89').waitFor()
  })

  it('shows who the contact is, and asks before erasing', async () => {
    await page.keyboard.press('Control+i')
    await page.getByRole('complementary', { name: 'Detalhes do contato' }).waitFor()
    await sees('chat-15-details')
    // The panel begins anew where it lies over the conversation and not beside it.
    const askToErase = async () => {
      if (!(await dialog('Apagar Bruno Lima?').isVisible())) await button('Apagar contato').click()
      await dialog('Apagar Bruno Lima?').waitFor()
    }
    await sees('chat-16-erasing', askToErase)
    await askToErase()
    await button('Cancelar').click()
    await dialog('Apagar Bruno Lima?').waitFor({ state: 'detached' })
    await button('Fechar detalhes').click()
  })

  it('keeps what is written without a line, and sends it once the line is back', async () => {
    await button(/^Aceitar/).click()
    await button(/^Finalizar/).waitFor()
    await browser.context.setOffline(true)
    await page.getByText('Você está sem internet').waitFor()
    await send('Guardado até a internet voltar')
    await bubble('Guardado até a internet voltar').waitFor()
    await sees('chat-17-offline')
    await browser.context.setOffline(false)
    await page.getByText('Conexão restabelecida').waitFor()
    await bruno.heard(shop.number, ({ text }) => text === 'Guardado até a internet voltar')
  })

  it('is used with the keyboard alone, from the login to the end of a conversation', async () => {
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    const tabTo = async (wanted: Locator) => {
      await wanted.waitFor()
      for (let steps = 0; !(await wanted.evaluate((element) => element === document.activeElement)); steps++) {
        if (steps > 40) throw new Error(`Tab does not lead to ${wanted}`)
        await press('Tab')
      }
    }
    const isFocused = (wanted: Locator) =>
      until(() => wanted.evaluate((element) => element === document.activeElement).catch(() => false))
    const history = page.locator('[data-history]')

    await browser.context.clearCookies()
    await page.goto(`${product.url}/login`)
    await tabTo(page.getByLabel('E-mail'))
    await page.keyboard.type(marina.email)
    await tabTo(page.getByLabel('Senha', { exact: true }))
    await page.keyboard.type(marina.password)
    await press('Enter')
    await page.getByRole('heading', { name: 'Olá, Marina' }).waitFor()
    await press('g', 'l')
    await page.getByRole('heading', { name: 'Conversas' }).waitFor()

    await clara.write(shop.number, 'Vocês entregam no Jardim das Flores?')
    await press('2')
    await row('Bruno Lima').waitFor()
    await press('1')
    await row('Clara Dias').waitFor()
    await press('ArrowDown', 'Enter')
    await bubble('Jardim das Flores').waitFor()
    await press('a')
    await button(/^Finalizar/).waitFor()
    await isFocused(composer())
    await page.keyboard.type('Entregamos sim!')
    await press('Shift+Enter')
    await page.keyboard.type('A taxa é R$ 5.')
    await press('Enter')
    await clara.heard(shop.number, ({ text }) => text === 'Entregamos sim!\nA taxa é R$ 5.')
    await page.keyboard.type('/pix')
    await page.getByRole('listbox', { name: 'Respostas Rápidas' }).getByRole('option').waitFor()
    await press('Enter', 'Enter')
    await clara.heard(shop.number, ({ text }) => text.startsWith('Nossa chave Pix'))

    await press('ArrowUp')
    await isFocused(history)
    await press('Home')
    await sees('chat-18-keyboard')
    await press('r')
    await isFocused(composer())
    await press('ArrowUp')
    await isFocused(history)
    await press('Home', 'r')
    await page.getByRole('group', { name: 'Respondendo a' }).waitFor()
    await isFocused(composer())
    await page.keyboard.type('Qual é o número da casa?')
    await press('Enter')
    const quoting = await clara.heard(shop.number, ({ text }) => text === 'Qual é o número da casa?')
    expect(quoting.quoted?.text).toBe('Vocês entregam no Jardim das Flores?')
    await press('ArrowUp', 'Home', '+')
    await dialog('Reagir à mensagem').waitFor()
    await press('ArrowRight', 'Enter')
    await clara.heard(shop.number, ({ reactions }) => reactions.some(({ emoji }) => emoji === '❤️'))
    await dialog('Reagir à mensagem').waitFor({ state: 'detached' })
    await isFocused(history)
    await press('End', 'ArrowDown')
    await isFocused(composer())

    await press('Control+o')
    await page.getByRole('menuitem', { name: 'Documento' }).waitFor()
    await press('Escape')
    await page.getByRole('menuitem', { name: 'Documento' }).waitFor({ state: 'detached' })
    await press('Control+m')
    await page.getByRole('status').filter({ hasText: 'Gravando' }).waitFor()
    await press('Escape')
    await isFocused(composer())
    await press('Control+i')
    await isFocused(button('Fechar detalhes'))
    await press('Escape')
    await isFocused(composer())
    await press('Escape', '?')
    await dialog('Atalhos do teclado').waitFor()
    await press('Escape')
    await dialog('Atalhos do teclado').waitFor({ state: 'detached' })

    await press('/')
    await page.keyboard.type('girassol')
    const results = page.getByRole('listbox', { name: 'Resultados da busca' }).getByRole('option')
    await results.filter({ hasText: 'O pão de girassol' }).waitFor()
    await until(async () => (await results.count()) === 1)
    await press('Enter')
    await bubble('O pão de girassol').waitFor()
    await press('/', 'Escape', 'Escape', '2')
    await row('Bruno Lima').waitFor()
    await press('e')
    await page.getByText('Resolvido', { exact: true }).waitFor()
  })

  it('shows the other side of it all on the simulated phones', async () => {
    const phones = await browser.context.newPage()
    const seen = async (name: string) => expect.soft(await look(phones, name)).toEqual([])
    const phoneOf = (name: string) => phones.getByRole('region', { name })
    await phones.goto(`${product.url}/simulador`)
    await phoneOf('Ana Souza')
      .getByRole('button', { name: /Padaria Sol/ })
      .click()
    await phoneOf('Ana Souza').getByText('Posso confirmar o pedido?').waitFor()
    await phones.getByRole('button', { name: 'Escanear QR com Clara Dias' }).click()
    await seen('phones-01-chats')
    await phones.getByRole('button', { name: 'Novo grupo' }).click()
    await phones.getByRole('dialog').waitFor()
    await seen('phones-02-group')
    await phones.close()
  })

  it('says that the number was disconnected, and where to go', async () => {
    await shop.unlinkAll()
    await page.getByText('WhatsApp desconectado').first().waitFor()
    await page.getByPlaceholder('Conecte o WhatsApp para enviar mensagens').waitFor()
    await sees('chat-19-unlinked')
  })
})
