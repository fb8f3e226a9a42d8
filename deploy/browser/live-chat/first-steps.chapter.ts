import { expect, it } from 'vitest'
import { whileRefusingEvents } from '../database-faults.ts'
import type { OnStage } from './chat-stage.ts'

/** Starts without messages. Leaves the number linked and Bruno known by number. */
export const firstSteps = (on: OnStage) => {
  it('leads to the first connection, and is empty but ready after it', async () => {
    const { page, product, marina, shop, button, dialog, sees } = on()
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

  it('adds a contact by number, and shows why one cannot be added', async () => {
    const { page, product, browser, button, dialog, sees, pictures } = on()
    await button('Adicionar Contato').click()
    const phone = dialog('Adicionar Contato').getByLabel('Telefone')
    await phone.fill('119887')
    await button('Adicionar e Chamar').click()
    await page.getByText('Por favor, insira um número de telefone válido (10 ou 11 dígitos)').waitFor()
    await phone.fill('11912345678')
    await button('Adicionar e Chamar').click()
    await dialog('Adicionar Contato').getByText('Este número não tem WhatsApp.').waitFor()
    await sees('chat-04-unknown-number')
    await phone.fill('21987654321')
    await whileRefusingEvents(product, ['contact', 'contactKey'], async () => {
      await button('Adicionar e Chamar').click()
      await dialog('Adicionar Contato').getByText('Erro ao adicionar contato. Tente novamente.').waitFor()
      await pictures('chat-04-contact-not-added')
    })
    await browser.context.route('https://wa.me/**', (route) => route.fulfill({ body: 'WhatsApp' }))
    const opened = browser.context.waitForEvent('page')
    await button('Adicionar e Chamar').click()
    const tab = await opened
    expect(tab.url()).toBe('https://wa.me/5521987654321')
    await tab.close()
    // Routing disables the browser's cache.
    await browser.context.unrouteAll()
    await page.getByText('Nenhuma mensagem ainda').last().waitFor()
    await pictures('chat-05-no-message')
  })
}
