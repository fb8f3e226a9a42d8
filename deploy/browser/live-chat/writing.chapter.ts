import { until } from '@prosa/kernel/testing/until'
import { readQrCode } from '@prosa/sessions/testing/read-qr-code'
import { expect, it } from 'vitest'
import { addPhone, type SimulatedPerson } from '../simulated-phone.ts'
import type { ChatStage, OnStage } from './chat-stage.ts'
import { dropLine, letLineBack } from './number-line.ts'

const gotBy = async (person: SimulatedPerson, { shop }: ChatStage): Promise<string[]> =>
  (await person.messages(shop.number)).filter(({ fromMe }) => !fromMe).map(({ text }) => text)

const statusOf = async ({ marina }: ChatStage, name: string) => {
  const all = await marina.get<{ name: string | null; serviceStatus: string }[]>('/api/whatsapp/contacts')
  return all.find((contact) => contact.name === name)?.serviceStatus
}

/** Leaves the number linked and messages for Juliana only. */
export const writing = (on: OnStage) => {
  let juliana: SimulatedPerson
  let gustavo: SimulatedPerson
  const reaches = (text: string) => juliana.received(on().shop.number, (message) => message.text === text)
  const arrivesOnce = async (text: string) => {
    await reaches(text)
    expect((await gotBy(juliana, on())).filter((each) => each === text)).toHaveLength(1)
    expect(await gotBy(gustavo, on())).toEqual([])
  }

  it('goes to whoever was chosen: what is typed after a press on a row is no command', async () => {
    const { page, product, shop, row, button, log, composer } = on()
    juliana = await addPhone(product.url, 'Juliana Prado', '11955550001')
    gustavo = await addPhone(product.url, 'Gustavo Reis', '11955550002')
    await page.goto(`${product.url}/live-chat`)
    await juliana.write(shop.number, 'Quanto custa o bolo de três andares?')
    await gustavo.write(shop.number, 'Vocês fazem entrega?')
    await row('Gustavo Reis').waitFor()
    await row('Juliana Prado').click()
    await button(/^Aceitar/).click()
    await button(/^Finalizar/).waitFor()
    await page.getByRole('tab', { name: /Aguardando/ }).click()
    await row('Gustavo Reis').click()
    await page.getByRole('tab', { name: /Atendendo/ }).click()
    await row('Juliana Prado').click()
    await page.keyboard.type('entendi, seu bolo custa R$ 180')
    await page.keyboard.press('Enter')
    await arrivesOnce('entendi, seu bolo custa R$ 180')
    expect(await statusOf(on(), 'Juliana Prado')).toBe('attending')

    await log().click({ position: { x: 5, y: 5 } })
    await page.keyboard.type('e nada mais: 2 bolos, kkk')
    expect(await composer().inputValue()).toBe('e nada mais: 2 bolos, kkk')
    await page.keyboard.press('Enter')
    await arrivesOnce('e nada mais: 2 bolos, kkk')
    expect(await statusOf(on(), 'Juliana Prado')).toBe('attending')
  })

  it('can be finished by mistake: that is taken back with one press, and later reopened', async () => {
    const { page, button, sees } = on()
    await page.keyboard.press('Control+Shift+E')
    await page.getByText('Conversa finalizada').waitFor()
    await sees('chat-60-finished', () => page.getByText('Conversa finalizada').hover())
    await button('Desfazer').click()
    await button(/^Finalizar/).waitFor()
    expect(await statusOf(on(), 'Juliana Prado')).toBe('attending')
    await button(/^Finalizar/).click()
    await button('Reabrir').waitFor()
    await sees('chat-61-resolved')
    await button('Reabrir').click()
    await button(/^Finalizar/).waitFor()
    await until(async () => (await statusOf(on(), 'Juliana Prado')) === 'attending')
  })

  it('goes on while the line is lost in the middle of a sentence, and waits until it is back', async () => {
    const { page, row, bubble, composer, sees } = on()
    await row('Juliana Prado').click()
    await page.keyboard.type('Seu bolo fica pronto ')
    dropLine(on().product, on().shop.number)
    await page.getByText('WhatsApp desconectado').waitFor()
    await page.keyboard.type('às 16h, e nada muda no preço')
    expect(await composer().inputValue()).toBe('Seu bolo fica pronto às 16h, e nada muda no preço')
    await page.keyboard.press('Enter')
    await bubble('às 16h').getByRole('img', { name: 'aguardando a conexão' }).waitFor()
    await sees('chat-62-line-lost')
    await page.reload()
    await bubble('às 16h').getByRole('img', { name: 'aguardando a conexão' }).waitFor()
    expect(await statusOf(on(), 'Juliana Prado')).toBe('attending')
    letLineBack(on().product)
    await arrivesOnce('Seu bolo fica pronto às 16h, e nada muda no preço')
    await page.getByText('WhatsApp desconectado').waitFor({ state: 'detached' })
  })

  it('is kept when the session ends while it is sent, and leaves after the sign-in', async () => {
    const { page, browser, marina, row, button, bubble, sees } = on()
    await page.getByRole('tab', { name: /Atendendo/ }).click()
    await row('Juliana Prado').click()
    await page.keyboard.type('Pode ser em duas vezes')
    await browser.context.clearCookies()
    await page.keyboard.press('Enter')
    await page.getByText('Sua sessão terminou.').waitFor()
    await sees('chat-63-session-over')
    await page.getByLabel('E-mail').fill(marina.email)
    await page.getByLabel('Senha', { exact: true }).fill(marina.password)
    await button('Entrar').click()
    await bubble('Pode ser em duas vezes').waitFor()
    await arrivesOnce('Pode ser em duas vezes')
  })

  it('is asked about before the tab is closed without internet, and outlives it', async () => {
    const { page, browser, product, row, composer } = on()
    const tab = await browser.context.newPage()
    await tab.goto(page.url())
    const box = tab.getByPlaceholder(/^Digite uma mensagem/)
    await box.click()
    await browser.context.setOffline(true)
    await tab.getByText('Você está sem internet').waitFor()
    await tab.keyboard.type('Anotado, sem lactose')
    await tab.keyboard.press('Enter')
    await tab.getByRole('log').getByRole('img', { name: 'aguardando a conexão' }).waitFor()
    await page.goto('about:blank')
    const asked = tab.waitForEvent('dialog')
    const closed = tab.waitForEvent('close')
    await tab.close({ runBeforeUnload: true })
    const question = await asked
    expect(question.type()).toBe('beforeunload')
    await question.accept()
    await closed
    await browser.context.setOffline(false)
    await page.goto(`${product.url}/live-chat`)
    await arrivesOnce('Anotado, sem lactose')
    await page.getByRole('tab', { name: /Atendendo/ }).click()
    await row('Juliana Prado').click()
    await composer().waitFor()
  })

  it('keeps what was being recorded when another conversation is opened', async () => {
    const { page, shop, row, button, sees } = on()
    await page.keyboard.press('Control+m')
    await page.getByRole('status').filter({ hasText: 'Gravando' }).waitFor()
    await until(async () => (await page.getByRole('timer').textContent()) !== '00:00')
    await page.getByRole('tab', { name: /Aguardando/ }).click()
    await row('Gustavo Reis').click()
    await page.getByText('A gravação ficou guardada').waitFor()
    await page.getByRole('tab', { name: /Atendendo/ }).click()
    await row('Juliana Prado').click()
    await page.getByRole('group', { name: 'Gravação guardada' }).waitFor()
    await sees('chat-64-recording-kept')
    await button('Enviar gravação').click()
    await juliana.received(shop.number, ({ kind, fromMe }) => !fromMe && kind === 'voice')
    expect(await gotBy(gustavo, on())).toEqual([])
  })

  it('shows what becomes of messages after an unlink, and sends what was written over the same number', async () => {
    const { page, marina, shop, bubble, sees } = on()
    const [connection] = await marina.connections()
    await shop.unlinkAll()
    await page.getByText(/O que chegar até conectar de novo pode ficar só no celular/).waitFor()
    await page.keyboard.type('O Pix caiu, obrigada')
    await page.keyboard.press('Enter')
    await bubble('O Pix caiu').getByRole('img', { name: 'aguardando a conexão' }).waitFor()
    await sees('chat-65-unlinked')
    await marina.post(`/api/whatsapp/connections/${connection?.id}/refresh`)
    const image = await until(async () => (await marina.connections())[0]?.qrCode)
    await shop.scan(readQrCode(image))
    await arrivesOnce('O Pix caiu, obrigada')
  })
}
