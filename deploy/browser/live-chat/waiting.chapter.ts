import { until } from '@prosa/kernel/testing/until'
import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { whileRefusingEvents } from '../database-faults.ts'
import { addPhone } from '../simulated-phone.ts'
import type { OnStage } from './chat-stage.ts'

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

const topOf = async (element: Locator) => (await element.boundingBox())?.y ?? Number.NaN

/** Leaves Bruno and Clara waiting, Ana attended. */
export const waiting = (on: OnStage) => {
  const rows = () => on().page.getByRole('listbox').getByRole('option')
  const names = async () => (await rows().allInnerTexts()).map((text) => /Ana|Bruno|Clara|Diego|Elisa/.exec(text)?.[0])

  it('lists who waits longest first, with how long, whoever wrote last', async () => {
    const { page, product, marina, shop, ana, bruno, clara, row, sees } = on()
    await marina.link(shop, 'Padaria Sol')
    await ana.write(shop.number, 'Bom dia, tem bolo de fubá?', { at: minutesAgo(42) })
    await bruno.write(shop.number, 'Vocês abrem domingo?', { at: minutesAgo(10) })
    await clara.write(shop.number, 'Oi')
    await ana.write(shop.number, 'Alguém aí?')
    await page.goto(`${product.url}/live-chat`)
    await row('Ana Souza').getByLabel('2 mensagens não lidas').waitFor()
    await until(async () => (await rows().count()) === 3)
    expect(await names()).toEqual(['Ana', 'Bruno', 'Clara'])
    await row('Ana Souza').getByText('espera há 42 min').waitFor()
    await row('Bruno Lima').getByText('espera há 10 min').waitFor()
    await row('Clara Dias').getByText('chegou agora').waitFor()
    await sees('waiting-01-list')
  })

  it('shows how many wait on every screen, in the navigation and the title', async () => {
    const { page, product, shop, row } = on()
    await page.getByRole('link', { name: 'Configurações' }).click()
    await page.getByRole('heading', { name: 'Configurações' }).waitFor()
    await until(async () => (await page.title()) === '(3) Configurações · Prosa')
    await page
      .getByRole('link', { name: /Bate Papo ao vivo/ })
      .getByLabel('3 aguardando')
      .waitFor()
    const elisa = await addPhone(product.url, 'Elisa Rocha', '41999990001')
    await elisa.write(shop.number, 'Boa tarde!')
    await until(async () => (await page.title()) === '(4) Configurações · Prosa')
    await on().sees('waiting-02-elsewhere')
    await page.getByRole('link', { name: /Bate Papo ao vivo/ }).click()
    await row('Elisa Rocha').waitFor()
  })

  it('stands still under the pointer, and moves once it has gone', async () => {
    const { page, product, shop, row } = on()
    await row('Bruno Lima').hover()
    const before = await topOf(row('Bruno Lima'))
    const diego = await addPhone(product.url, 'Diego Reis', '41999990002')
    await diego.write(shop.number, 'Perdi meu cartão aí', { at: minutesAgo(120) })
    await row('Diego Reis')
      .or(page.getByText('1 nova', { exact: true }))
      .first()
      .waitFor()
    expect(await topOf(row('Bruno Lima'))).toBe(before)
    expect((await names()).slice(0, 4)).toEqual(['Ana', 'Bruno', 'Clara', 'Elisa'])
    await page.mouse.move(900, 20)
    await until(async () => (await names())[0] === 'Diego')
    expect(await names()).toEqual(['Diego', 'Ana', 'Bruno', 'Clara', 'Elisa'])
  })

  it('is left by an answer, which accepts', async () => {
    const { page, marina, ana, shop, row, button, send } = on()
    await row('Ana Souza').click()
    await button('Aceitar').waitFor()
    await send('Bom dia! Tem sim.')
    await ana.received(shop.number, ({ text }) => text === 'Bom dia! Tem sim.')
    await button('Finalizar').waitFor()
    // The pointer still rests on the pressed row: new messages must not make it press another.
    await row('Ana Souza').waitFor({ state: 'detached' })
    expect((await marina.contacts('attending')).map(({ name }) => name)).toEqual(['Ana Souza'])
    await page.getByRole('tab', { name: /Atendendo/ }).click()
    await row('Ana Souza').waitFor()
  })

  it('counts who would push others down while the pointer is on one of them', async () => {
    const { page, product, marina, shop, row } = on()
    await row('Ana Souza').hover()
    const before = await topOf(row('Ana Souza'))
    const fabio = await addPhone(product.url, 'Fabio Nunes', '41999990003')
    // WhatsApp's timestamps are whole seconds: a message in the second of Ana's answer sorts below her.
    const [answered] = await marina.contacts('attending')
    expect(answered?.name).toBe('Ana Souza')
    const answeredMs = Date.parse(answered?.lastActivity ?? '')
    await until(() => Date.now() >= answeredMs + 1000)
    await fabio.write(shop.number, 'Oi, é da padaria?')
    const waits = () => marina.contacts('waiting')
    const { id } = await until(async () => (await waits()).find(({ name }) => name === 'Fabio Nunes'))
    expect((await marina.ask('PATCH', `/api/whatsapp/contacts/${id}/status`, { status: 'attending' })).status).toBe(200)
    const late = page.getByText('1 nova', { exact: true })
    await late.waitFor()
    expect(await topOf(row('Ana Souza'))).toBe(before)
    await page.mouse.move(900, 20)
    await row('Fabio Nunes').waitFor()
    await late.waitFor({ state: 'detached' })
  })

  it('shows in the row what could not be sent', async () => {
    const { page, product, row, composer, pictures } = on()
    await page.getByRole('tab', { name: /Atendendo/ }).click()
    await whileRefusingEvents(product, ['contact', 'chat'], async () => {
      await composer().fill('Separo um para você?')
      await composer().press('Enter')
      await row('Ana Souza').getByText('Não enviada:').waitFor({ timeout: 60_000 })
      await row('Ana Souza').getByText('Separo um para você?').waitFor()
      await pictures('waiting-04-unsent')
    })
    await page.getByRole('log').getByRole('button', { name: 'Descartar' }).click()
    await row('Ana Souza').getByText('Não enviada:').waitFor({ state: 'detached' })
  })

  it('waits quietly, as long as the server wants, when it is asked too much', async () => {
    const { page, shop, clara, row } = on()
    await page.getByRole('tab', { name: /Aguardando/ }).click()
    await row('Clara Dias').waitFor()
    await page.mouse.move(900, 20)
    const asked: number[] = []
    await page.route(/\/api\/whatsapp\/contacts\?/, async (route) => {
      asked.push(Date.now())
      if (asked.length > 1) return route.continue()
      const body = JSON.stringify({
        type: 'too_many_attempts',
        title: 'Muitas tentativas.',
        status: 429,
        correlationId: 'x',
      })
      return route.fulfill({
        status: 429,
        contentType: 'application/problem+json',
        headers: { 'retry-after': '3' },
        body,
      })
    })
    await clara.write(shop.number, 'Tem pão sem glúten?')
    const notice = page.getByRole('banner').getByText('Atualizando em instantes')
    await notice.waitFor()
    await row('Clara Dias').getByText('Tem pão sem glúten?').waitFor()
    await notice.waitFor({ state: 'detached' })
    const [first = 0, second = 0] = asked
    expect(second - first).toBeGreaterThanOrEqual(3000)
    await page.unroute(/\/api\/whatsapp\/contacts\?/)
  })
}
