import { expect, it } from 'vitest'
import { whileRefusingEvents } from '../database-faults.ts'
import type { OnStage } from './screens-stage.ts'

/** Ana waits. Leaves her attended, no number, and Marina signed out. */
export const chatFailures = (on: OnStage) => {
  it('adds nobody whose number is no number, and nobody while the log takes nothing', async () => {
    const { product, visit, button, dialog, pictures } = on()
    await visit('/live-chat')
    await button('Adicionar Contato').click()
    const adding = dialog('Adicionar Contato')
    expect(await button('Adicionar e Chamar').isDisabled()).toBe(true)
    await adding.getByLabel('Telefone').fill('1198877665544')
    expect(await adding.getByLabel('Telefone').inputValue()).toBe('(11) 98877-6655')
    await adding.getByLabel('Telefone').fill('119887')
    await button('Adicionar e Chamar').click()
    await adding.getByText('Por favor, insira um número de telefone válido (10 ou 11 dígitos)').waitFor()
    await pictures('chat-70-short-number')
    await adding.getByLabel('Telefone').fill('11988776655')
    await whileRefusingEvents(product, ['contact', 'contactKey'], async () => {
      await adding.getByLabel('Telefone').fill('1131234567')
      expect(await adding.getByLabel('Telefone').inputValue()).toBe('(11) 3123-4567')
      await button('Adicionar e Chamar').click()
      await adding.getByRole('alert').waitFor()
    })
    await button('Cancelar').click()
    await dialog().waitFor({ state: 'detached' })
  })

  it('shows in its bubble that a message was not accepted, and sends it at a press', async () => {
    const { page, product, ana, shop, button, pictures } = on()
    await page.getByRole('listbox').getByRole('option', { name: 'Ana Souza' }).click()
    const composer = page.getByPlaceholder(/^Digite uma mensagem/)
    await composer.fill('   ')
    expect(await button('Enviar').isDisabled()).toBe(true)
    await whileRefusingEvents(product, ['contact', 'chat'], async () => {
      await composer.fill('Abrimos das 7h às 13h.')
      await composer.press('Enter')
      await page.getByText('Erro ao enviar mensagem. Tente novamente.').waitFor()
      await pictures('chat-71-not-accepted')
    })
    await page.getByRole('log').getByRole('button', { name: 'Tentar de novo' }).click()
    await ana.received(shop.number, ({ text }) => text === 'Abrimos das 7h às 13h.')
  })

  it('shows in its bubble that the plan allows no more messages', async () => {
    const { page, pictures } = on()
    const composer = page.getByPlaceholder(/^Digite uma mensagem/)
    for (const text of ['No sábado até as 20h.', 'Até já!']) {
      await composer.fill(text)
      await composer.press('Enter')
    }
    await page.getByText(/^Seu plano permite 2 mensagens por mês/).waitFor()
    await pictures('chat-72-beyond-plan')
  })

  it('shows that there is no number to send from, and where to link one', async () => {
    const { page, marina, pictures } = on()
    for (const { id } of await marina.connections()) await marina.ask('DELETE', `/api/whatsapp/connections/${id}`)
    await page.getByText('WhatsApp desconectado').first().waitFor()
    await page.getByPlaceholder('Conecte o WhatsApp para enviar mensagens').waitFor()
    await page.getByRole('log').getByRole('button', { name: 'Tentar de novo' }).click()
    await page.getByText('Nenhuma conexão WhatsApp ativa encontrada').waitFor()
    await pictures('chat-73-no-number')
  })

  it('signs out', async () => {
    const { page, button, toast, pictures } = on()
    await button('Menu de Marina Alves').click()
    await page.getByRole('menuitem', { name: 'Sair' }).click()
    await toast('Logout realizado').waitFor()
    await toast('Você foi desconectado com sucesso.').waitFor()
    await page.waitForURL(/\/login/)
    await pictures('account-10-signed-out')
  })
}
