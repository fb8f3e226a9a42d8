import { formatPhone } from '@prosa/contracts/values/phone'
import { afterAll, expect, it } from 'vitest'
import { isLongWalk } from '../long-walk.ts'
import { addPhone, type SimulatedPerson } from '../simulated-phone.ts'
import type { OnStage } from './chat-stage.ts'
import { dropLine, letLineBack } from './number-line.ts'

/** Numbers Padaria Sol and Vendas; `number` is that of Vendas, to which Ana writes. */
export const twoNumbers = (on: OnStage, number: string) => {
  let sales: SimulatedPerson
  const shown = (person: SimulatedPerson) => formatPhone(person.number)
  const header = () =>
    on()
      .page.locator('header')
      .filter({ has: on().page.getByRole('heading', { name: 'Ana Souza' }) })
  const answersOver = (person: SimulatedPerson) =>
    header()
      .getByText(`Por ${person.name} · ${shown(person)}`)
      .waitFor()
  const arrives = (from: SimulatedPerson, text: string) =>
    on().ana.received(from.number, (message) => message.text === text && !message.fromMe)
  const textsFrom = async (from: SimulatedPerson) =>
    (await on().ana.messages(from.number)).filter(({ fromMe }) => !fromMe).map(({ text }) => text)
  const toList = async () => {
    const back = on().button('Voltar para as conversas')
    if (await back.isVisible()) await back.click()
  }
  const openAna = async () => {
    const { page, row } = on()
    await toList()
    await page.getByRole('tab', { name: /Atendendo/ }).click()
    await row('Ana Souza').click()
    await header().waitFor()
  }
  const away = () => on().page.getByText('Vendas está desconectado. A mensagem espera e sai quando ele voltar.')
  const goTo = async (path: string) => {
    const { page, product } = on()
    const size = page.viewportSize()
    await page.goto(`${product.url}${path}`)
    if (size) await page.setViewportSize(size)
  }
  const sees = async (name: string) => {
    const { page } = on()
    const size = page.viewportSize()
    await on().sees(`numbers-${size && size.width < 600 ? 'phone-' : ''}${name}`)
    if (size) await page.setViewportSize(size)
  }

  afterAll(() => letLineBack(on().product))

  it('answers over the number that the person wrote to, and names it in list and header', async () => {
    const { product, marina, shop, ana, bruno, row, button, send } = on()
    sales = await addPhone(product.url, 'Vendas', number)
    await marina.link(shop, 'Padaria Sol')
    await marina.link(sales, 'Vendas')
    await bruno.write(shop.number, 'Abrem no domingo?')
    await ana.write(sales.number, 'Vocês fazem cesta de Natal?')
    await goTo('/live-chat')
    await row('Ana Souza')
      .getByTitle(`Por Vendas · ${shown(sales)}`)
      .waitFor()
    await row('Bruno Lima').getByText('Padaria Sol').waitFor()
    await sees('01-list')
    await row('Ana Souza').click()
    await answersOver(sales)
    await button('Aceitar').click()
    await button('Finalizar').waitFor()
    await send('Fazemos, sim!')
    await arrives(sales, 'Fazemos, sim!')
    await sees('02-conversation')
  })

  it('follows the person to the other number, in one conversation, and marks where', async () => {
    const { ana, shop, row, log, send } = on()
    await ana.write(shop.number, 'Escrevo agora no número da padaria')
    await log().getByText('Escrevo agora no número').waitFor()
    await answersOver(shop)
    await log()
      .getByText(`Por Padaria Sol · ${shown(shop)}`)
      .waitFor()
    await send('Sem problema, Ana')
    await arrives(shop, 'Sem problema, Ana')
    expect(await textsFrom(sales)).toEqual(['Fazemos, sim!'])
    await ana.show(shop.number, 'composing')
    await header().getByText('digitando...').waitFor()
    expect(await header().textContent()).toContain(`${shown(ana)} · digitando...`)
    await sees('03-two-numbers')
    await ana.write(sales.number, 'Quero duas cestas, então')
    await answersOver(sales)
    await toList()
    expect(await row('Ana Souza').count()).toBeLessThanOrEqual(1)
    await openAna()
  })

  it('waits for the number that is down, which warns with its name, and goes once it is back', async () => {
    const { page, product, shop, bubble, send } = on()
    dropLine(product, sales.number)
    await away().waitFor()
    await page.getByText('Vendas está desconectado', { exact: true }).waitFor()
    await send('Anotado: duas cestas')
    await bubble('Anotado').getByRole('img', { name: 'aguardando a conexão' }).waitFor()
    await sees('04-waits')
    await goTo('/')
    await page.getByText(`Vendas · ${shown(sales)} está desconectado.`).waitFor()
    await page.getByText('1 de 2 números conectados').waitFor()
    await sees('05-dashboard')
    await goTo('/live-chat')
    await openAna()
    letLineBack(product)
    await arrives(sales, 'Anotado: duas cestas')
    await away().waitFor({ state: 'detached' })
    expect(await textsFrom(shop)).not.toContain('Anotado: duas cestas')
  })

  // docs/tests.md names the tests of `npm test` that cover the rest.
  if (!isLongWalk) return

  it('answers over another number once somebody chose it, who was shown what the person will see', async () => {
    const { page, product, shop, bubble, button, composer, dialog, send } = on()
    dropLine(product, sales.number)
    await away().waitFor()
    await button('Responder por outro número').focus()
    await page.keyboard.press('Enter')
    await dialog('Responder a Ana Souza por qual número?').waitFor()
    await page.getByText(/^Esta pessoa vai ver outro número/).waitFor()
    await expect
      .poll(() =>
        page.getByRole('radio', { name: /^Padaria Sol/ }).evaluate((radio) => radio === document.activeElement),
      )
      .toBe(true)
    await sees('06-choose')
    // A change of the window's width moves the focus to the conversation.
    await page.getByRole('radio', { name: /^Padaria Sol/ }).focus()
    await page.keyboard.press('Enter')
    await answersOver(shop)
    await away().waitFor({ state: 'detached' })
    await expect.poll(() => composer().evaluate((box) => box === document.activeElement)).toBe(true)
    await send('Respondo por aqui, Ana')
    await arrives(shop, 'Respondo por aqui, Ana')
    await bubble('Respondo por aqui')
      .getByText(`Por Padaria Sol · ${shown(shop)}`)
      .waitFor()
    await sees('07-chosen')
    letLineBack(product)
    await page.getByText('Vendas está desconectado', { exact: true }).waitFor({ state: 'detached' })
  })

  it('lists the conversations of one number, and finds only what came or went over it', async () => {
    const { page, ana, row, button } = on()
    await ana.write(sales.number, 'Volto a escrever em Vendas')
    await answersOver(sales)
    await toList()
    await page.getByRole('tab', { name: /Aguardando/ }).click()
    await row('Bruno Lima').waitFor()
    await button('Filtrar e selecionar').click()
    const choice = page.getByRole('menuitemradio', { name: `Vendas · ${shown(sales)}` })
    await choice.waitFor()
    await page.keyboard.press('Escape')
    await choice.waitFor({ state: 'detached' })
    await button('Filtrar e selecionar').click()
    await choice.click()
    await row('Bruno Lima').waitFor({ state: 'detached' })
    await page.getByText('Nenhuma conversa por este número').waitFor()
    await page.getByRole('tab', { name: /Atendendo/ }).click()
    await row('Ana Souza').waitFor()
    await sees('08-filter')
    await page.getByPlaceholder('Buscar atendimento e mensagens').fill('respondo por aqui')
    await page.getByText('Nenhuma conversa encontrada').waitFor()
    await page.getByPlaceholder('Buscar atendimento e mensagens').fill('duas cestas')
    await page.getByRole('listbox', { name: 'Resultados da busca' }).getByText('Quero').waitFor()
    await page.getByPlaceholder('Buscar atendimento e mensagens').fill('')
    await button('Mostrar todos os números').click()
    await page.getByRole('tab', { name: /Aguardando/ }).click()
    await row('Bruno Lima').waitFor()
  })
}
