import { expect, it } from 'vitest'
import type { OnStage } from './chat-stage.ts'

const setVisible = (isVisible: boolean) => {
  Object.defineProperty(document, 'visibilityState', { configurable: true, value: isVisible ? 'visible' : 'hidden' })
  document.dispatchEvent(new Event('visibilitychange'))
}

const lineIn = (on: OnStage) => {
  const line = () => on().page.getByRole('separator', { name: 'Novas mensagens' })
  const below = async () => {
    await line().waitFor()
    return line().evaluate(
      (element) => element.closest('[data-index]')?.nextElementSibling?.querySelector('[id^="message-"]')?.textContent,
    )
  }
  return { below }
}

export const unreadLine = (on: OnStage) => {
  const { below } = lineIn(on)

  it('when messages come while the tab is hidden', async () => {
    const { page, bruno, shop, row, bubble } = on()
    await row('Bruno Lima').click()
    await bubble('Vocês abrem domingo?').waitFor()
    await row('Bruno Lima')
      .getByLabel(/não lida/)
      .waitFor({ state: 'detached' })
    await page.evaluate(setVisible, false)
    await bruno.write(shop.number, 'E na segunda?')
    await bubble('E na segunda?').waitFor()
    await bruno.write(shop.number, 'Ou só na terça?')
    await bubble('Ou só na terça?').waitFor()
    await page.evaluate(setVisible, true)
    await row('Bruno Lima')
      .getByLabel(/não lida/)
      .waitFor({ state: 'detached' })
    expect(await below()).toContain('E na segunda?')
    await page.getByRole('tab', { name: /Aguardando/ }).click()
  })

  it('when they come while older ones are in view', async () => {
    const { page, bruno, shop, bubble, button } = on()
    for (let index = 0; index < 12; index++) await bruno.write(shop.number, `Linha ${index}\ncomprida\nde propósito`)
    await bubble('Linha 11').waitFor()
    await page.getByRole('group', { name: 'Conversa com Bruno Lima' }).press('Home')
    await button('Mensagens recentes').waitFor()
    await bruno.write(shop.number, 'Chegou fora da vista')
    await button(/^1 nova mensagem/).click()
    await bubble('Chegou fora da vista').waitFor()
    expect(await below()).toContain('Chegou fora da vista')
  })

  it('when the conversation is opened at something old that a search found', async () => {
    const { page, bruno, clara, shop, row, bubble, button } = on()
    await row('Bruno Lima')
      .getByLabel(/não lida/)
      .waitFor({ state: 'detached' })
    await clara.write(shop.number, 'Obrigada!')
    await row('Clara Dias').click()
    await bubble('Obrigada!').waitFor()
    await bruno.write(shop.number, 'Já separaram?')
    await row('Bruno Lima').getByLabel('1 mensagem não lida').waitFor()
    const search = page.getByRole('combobox', { name: 'Buscar atendimento e mensagens' })
    await search.fill('abrem domingo')
    await page
      .getByRole('listbox', { name: 'Resultados da busca' })
      .getByRole('option')
      .filter({ hasText: 'domingo' })
      .last()
      .click()
    await bubble('Vocês abrem domingo?').waitFor()
    await button('Limpar busca').click()
    await button(/^(1 nova mensagem|Mensagens recentes)/).click()
    await bubble('Já separaram?').waitFor()
    expect(await below()).toContain('Já separaram?')
  })
}

export const longUnread = (on: OnStage) => {
  const { below } = lineIn(on)

  it('when they fill more than a page, where the conversation opens', async () => {
    const { page, bruno, shop, row, bubble, button } = on()
    await page.getByRole('tab', { name: /Aguardando/ }).click()
    await row('Clara Dias').click()
    await bubble('Tem pão sem glúten?').waitFor()
    await row('Bruno Lima')
      .getByLabel(/não lida/)
      .waitFor({ state: 'detached' })
    for (let index = 0; index < 130; index++) await bruno.write(shop.number, `Encomenda ${index}`)
    await row('Bruno Lima').getByLabel('130 mensagens não lidas').waitFor()
    await row('Bruno Lima').click()
    expect(await below()).toContain('Encomenda 0')
    await button(/^(130 novas mensagens|Mensagens recentes)/).click()
    await bubble('Encomenda 129').waitFor()
    await row('Bruno Lima')
      .getByLabel(/não lida/)
      .waitFor({ state: 'detached' })
  })
}
