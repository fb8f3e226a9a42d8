import { it } from 'vitest'
import { whileRefusingEvents } from '../database-faults.ts'
import { holdReading } from '../reading-fails.ts'
import type { OnStage } from './chat-stage.ts'

const dayMs = 86_400_000

/** Leaves Bruno's conversation open and attended. */
export const places = (on: OnStage) => {
  it('finds what was written long ago, and comes back to now', async () => {
    const { page, bruno, shop, row, button, bubble, pictures } = on()
    const orders = Array.from({ length: 40 }, (_, index) => `Pedido número ${index} da semana`)
    orders[4] = 'O pão de girassol ainda existe?'
    for (const [index, text] of orders.entries()) {
      const at = new Date(Date.now() - 12 * dayMs + index * 3_000_000).toISOString()
      await bruno.write(shop.number, text, { at })
    }
    await page.getByRole('tab', { name: /Aguardando/ }).click()
    await row('Bruno Lima').getByLabel('40 mensagens não lidas').waitFor()
    const search = page.getByRole('combobox', { name: 'Buscar atendimento e mensagens' })
    await search.fill('zebra')
    await page.getByText('Nada com “zebra” nos nomes, nos telefones e nas mensagens.').waitFor()
    await search.fill('GIRASSÓL')
    const found = page.getByRole('listbox', { name: 'Resultados da busca' }).getByRole('option')
    await found.filter({ hasText: 'O pão de girassol' }).click()
    await bubble('O pão de girassol').waitFor()
    await pictures('chat-14-found')
    await button('Limpar busca').click()
    await button(/^(Mensagens recentes|\d+ novas? mensage)/).click()
    await bubble('Pedido número 39').waitFor()
  })

  it('keeps what is half written, and shows what came while older messages are in view', async () => {
    const { page, ana, bruno, shop, row, button, bubble, composer, sees, pictures } = on()
    await composer().fill('Vou ver com o padeiro e já')
    await page.getByRole('group', { name: 'Conversa com Bruno Lima' }).press('Home')
    await button('Mensagens recentes').waitFor()
    await bruno.write(shop.number, 'Ainda está aí?')
    await button(/^1 nova mensagem/).waitFor()
    await ana.write(shop.number, 'Posso pagar na entrega?')
    await page.getByRole('tab', { name: /Atendendo/ }).click()
    await row('Ana Souza').getByLabel('1 mensagem não lida').waitFor()
    await pictures('chat-15-unread-and-new-messages')
    await button(/^1 nova mensagem/).click()
    await bubble('Ainda está aí?').waitFor()
    await row('Ana Souza').click()
    await bubble('Posso pagar na entrega?').waitFor()
    await page.getByRole('tab', { name: /Aguardando/ }).click()
    await row('Bruno Lima').getByText('Rascunho:').waitFor()
    await sees('chat-15-draft')
    await row('Bruno Lima').click()
    await composer().and(page.getByText('Vou ver com o padeiro e já')).waitFor()
    await composer().fill('')
  })

  it('shows who the contact is, and asks before erasing', async () => {
    const { page, product, button, dialog, sees, pictures } = on()
    await page.keyboard.press('Control+i')
    await page.getByRole('complementary', { name: 'Detalhes do contato' }).waitFor()
    await sees('chat-16-details')
    const askToErase = async () => {
      if (!(await dialog('Apagar Bruno Lima?').isVisible())) await button('Apagar contato').click()
      await dialog('Apagar Bruno Lima?').waitFor()
    }
    await sees('chat-17-erasing', askToErase)
    const isNotErased = async () => {
      await askToErase()
      await dialog('Apagar Bruno Lima?').getByLabel('Para confirmar').fill('apagar')
      await dialog('Apagar Bruno Lima?').getByRole('button', { name: 'Apagar contato' }).click()
      await dialog('Apagar Bruno Lima?').getByText('O contato não foi apagado. Tente novamente.').waitFor()
    }
    await whileRefusingEvents(product, ['contact', 'contactKey', 'chat'], async () => {
      await isNotErased()
      await pictures('chat-17-not-erased', isNotErased)
    })
    await askToErase()
    await button('Cancelar').click()
    await dialog('Apagar Bruno Lima?').waitFor({ state: 'detached' })
    await button('Fechar detalhes').click()
    await button(/^Aceitar/).click()
    await button(/^Finalizar/).waitFor()
  })

  it('finds within the conversation, and goes to the place: beside it on a large screen, over it on a phone', async () => {
    const { page, button, bubble, composer, sees, pictures } = on()
    const field = page.getByRole('combobox', { name: 'Buscar nesta conversa' })
    const found = page.getByRole('listbox', { name: 'Mensagens encontradas' }).getByRole('option')
    const lookFor = async (text: string) => {
      await field.waitFor()
      await field.fill(text)
    }
    await composer().and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Control+Shift+F')
    await field.and(page.locator(':focus')).waitFor()
    await pictures('chat-52-find')
    await lookFor('zebra')
    await page.getByText('Nada com “zebra” nesta conversa.').waitFor()
    await pictures('chat-52-find-nothing', () => lookFor('zebra'))
    const reading = await holdReading(page, /\/api\/whatsapp\/search/)
    await lookFor('semana')
    await page.getByRole('status', { name: 'Buscando...' }).waitFor()
    await pictures('chat-52-find-looking')
    await reading.fail()
    await page.getByText('As mensagens não puderam ser buscadas').waitFor()
    await pictures('chat-52-find-failed')
    await reading.letGo()
    await lookFor('pedido')
    await found.getByText('Pedido', { exact: true }).first().waitFor()
    await page.getByText('Mais de 20 mensagens').waitFor()
    await sees('chat-52-find-many')
    await lookFor('GIRASSÓL')
    await found.filter({ hasText: 'O pão de girassol' }).waitFor()
    await field.press('Enter')
    await bubble('O pão de girassol').waitFor()
    await pictures('chat-52-find-place')
    await field.press('Escape')
    await button('Buscar na conversa').and(page.locator(':focus')).waitFor()
    await button(/^(Mensagens recentes|\d+ novas? mensage)/).click()
    await bubble('Ainda está aí?').waitFor()

    await page.setViewportSize({ width: 390, height: 844 })
    await button('Detalhes do contato').click()
    await button('Buscar na conversa').click()
    await lookFor('girass')
    await found.filter({ hasText: 'O pão de girassol' }).click()
    await field.waitFor({ state: 'detached' })
    await bubble('O pão de girassol').waitFor()
    await page.setViewportSize({ width: 1280, height: 800 })
    await button(/^(Mensagens recentes|\d+ novas? mensage)/).click()
    await bubble('Ainda está aí?').waitFor()
  })
}
