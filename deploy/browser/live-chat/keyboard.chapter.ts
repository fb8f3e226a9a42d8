import { until } from '@prosa/kernel/testing/until'
import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import type { OnStage } from './chat-stage.ts'

/** Bruno is attended, Clara writes for the first time. Leaves no dialog open. */
export const keyboard = (on: OnStage) => {
  it('is used with the keyboard alone, from the login to the end of a conversation', async () => {
    const { page, browser, product, marina, shop, clara, row, bubble, composer, button, dialog, pictures } = on()
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
    await isFocused(composer())
    await press('Escape', 'a')
    await button(/^Finalizar/).waitFor()
    await isFocused(composer())
    await page.keyboard.type('Entregamos sim!')
    await press('Shift+Enter')
    await page.keyboard.type('A taxa é R$ 5.')
    await press('Enter')
    await clara.received(shop.number, ({ text }) => text === 'Entregamos sim!\nA taxa é R$ 5.')
    await page.keyboard.type('/pix')
    await page.getByRole('listbox', { name: 'Respostas Rápidas' }).getByRole('option').waitFor()
    await press('Enter', 'Enter')
    await clara.received(shop.number, ({ text }) => text.startsWith('Nossa chave Pix'))

    await press('Control+ArrowUp')
    await isFocused(history)
    await press('Home')
    await pictures('chat-30-keyboard')
    await press('r')
    await isFocused(composer())
    await press('Control+ArrowUp')
    await isFocused(history)
    await press('Home', 'r')
    await page.getByRole('group', { name: 'Respondendo a' }).waitFor()
    await isFocused(composer())
    await page.keyboard.type('Qual é o número da casa?')
    await press('Enter')
    const quoting = await clara.received(shop.number, ({ text }) => text === 'Qual é o número da casa?')
    expect(quoting.quoted?.text).toBe('Vocês entregam no Jardim das Flores?')
    await press('Control+ArrowUp', 'Home', '+')
    await dialog('Reagir à mensagem').waitFor()
    await press('ArrowRight', 'Enter')
    await clara.received(shop.number, ({ reactions }) => reactions.some(({ emoji }) => emoji === '❤️'))
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
    await press('Escape', '/', 'Escape', 'Escape', '2')
    await row('Bruno Lima').waitFor()
    await press('e')
    await page.getByText('Resolvido', { exact: true }).waitFor()
  })
}
