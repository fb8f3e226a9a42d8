import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import type { OnStage } from './chat-stage.ts'

/** Touch input. Each test continues where the previous one ended. */
export const phone = (on: OnStage) => {
  const rest = async (place: Locator, shown: Locator) => {
    const { page, browser } = on()
    const touch = await browser.context.newCDPSession(page)
    const box = await place.boundingBox()
    if (!box) throw new Error('there is nothing to rest on')
    const touchPoints = [{ x: box.x + Math.min(60, box.width / 2), y: box.y + box.height / 2 }]
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
    await shown.waitFor()
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await touch.detach()
  }
  const words = (text: string) => on().page.getByRole('log').getByText(text).last()
  const sheet = () => on().page.getByRole('dialog', { name: /^Ações da mensagem/ })

  it('has one header over a conversation, and the way back in it', async () => {
    const { page, product, marina, ana, shop, row, button, sees } = on()
    await marina.link(shop, 'Padaria Sol')
    await ana.write(shop.number, 'Vocês fazem bolo de aniversário para sábado?')
    await page.goto(`${product.url}/live-chat`)
    await row('Ana Souza').waitFor()
    await page.getByRole('banner').waitFor()
    await row('Ana Souza').tap()
    await button('Aceitar').waitFor()
    const headers = page.locator('header').filter({ visible: true })
    expect(await headers.count()).toBe(1)
    expect((await headers.boundingBox())?.y).toBe(0)
    await sees('phone-01-conversation')
    await page.setViewportSize({ width: 390, height: 844 })
  })

  it('shows the sentence of the composer whole', async () => {
    const { page } = on()
    const composer = page.getByRole('textbox', { name: /^Digite uma mensagem/ })
    const room = await composer.evaluate((field: HTMLTextAreaElement) => {
      const style = getComputedStyle(field)
      const copy = document.createElement('div')
      copy.textContent = field.placeholder
      copy.style.cssText = `position:absolute;visibility:hidden;font:${style.font};width:${field.clientWidth - 24}px;line-height:${style.lineHeight}`
      document.body.append(copy)
      const needed = copy.offsetHeight + Number.parseFloat(style.paddingTop) + Number.parseFloat(style.paddingBottom)
      copy.remove()
      return { placeholder: field.placeholder, needed, has: field.clientHeight }
    })
    expect(room.placeholder).toBe('Digite uma mensagem ou / para respostas rápidas')
    expect(room.has).toBeGreaterThanOrEqual(room.needed)
  })

  it('opens what can be done with a message where a finger rests on it', async () => {
    const { page, ana, shop, button, log, sees } = on()
    await rest(words('bolo de aniversário'), sheet())
    await sees('phone-02-actions', async () => {
      if (await sheet().isHidden()) await rest(words('bolo de aniversário'), sheet())
    })
    await page.setViewportSize({ width: 390, height: 844 })
    await sheet()
      .getByRole('button', { name: /Reagir com 👍/ })
      .tap()
    await sheet().waitFor({ state: 'detached' })
    await ana.received(shop.number, ({ reactions }) => reactions.some(({ emoji }) => emoji === '👍'))
    await rest(words('bolo de aniversário'), sheet())
    await sheet().getByRole('button', { name: 'Responder citando' }).tap()
    await page.getByRole('group', { name: 'Respondendo a' }).waitFor()
    await page.getByRole('textbox', { name: /^Digite uma mensagem/ }).fill('Fazemos sim!')
    await button('Enviar').tap()
    const answer = await ana.received(shop.number, ({ text }) => text === 'Fazemos sim!')
    expect(answer.quoted?.text).toContain('bolo de aniversário')
    await on().browser.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await rest(words('Fazemos sim!'), sheet())
    await sheet().getByRole('button', { name: 'Copiar texto' }).tap()
    await page.getByText('Mensagem copiada').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Fazemos sim!')
    await words('Fazemos sim!').tap()
    expect(await sheet().count()).toBe(0)
    await log().waitFor()
  })

  it('leads back to the list and its header', async () => {
    const { page, button, row } = on()
    await button('Voltar para as conversas').tap()
    await page.getByRole('tab', { name: /Atendendo/ }).tap()
    await row('Ana Souza').waitFor()
    await page.getByRole('banner').waitFor()
  })
}
