import { until } from '@prosa/kernel/testing/until'
import type { Response } from 'playwright-core'
import { expect, it } from 'vitest'
import { whileRefusingEvents } from '../database-faults.ts'
import { addPhone, orderFault } from '../simulated-phone.ts'
import type { OnStage } from './chat-stage.ts'

/** Ana's conversation is open and attended before and after. */
export const refusedMessages = (on: OnStage) => {
  it('shows what is too long, what WhatsApp refuses and who blocked us, and tries again', async () => {
    const { page, product, ana, shop, log, bubble, button, composer, send, sees } = on()
    await composer().fill('pão '.repeat(1025))
    await page.getByText('4 caracteres além do limite').waitFor()
    expect(await button('Enviar').isDisabled()).toBe(true)
    await sees('chat-26-too-long')
    await composer().fill('')

    await ana.block(shop.number, true)
    await send('Ana, ainda está aí?')
    await bubble('Ana, ainda está aí?')
      .getByText(/Veja no celular se um bloqueou o outro/)
      .waitFor()
    await ana.block(shop.number, false)
    await orderFault(product.url, { name: 'refuse-messages', code: '463' })
    await send('Posso confirmar o pedido?')
    const refused = bubble('Posso confirmar o pedido?')
    await refused.getByText(/O WhatsApp limitou por enquanto/).waitFor()
    await sees('chat-27-refused')
    await refused.getByRole('button', { name: 'Tentar de novo' }).click()
    await ana.received(shop.number, ({ text }) => text === 'Posso confirmar o pedido?')

    await orderFault(product.url, { name: 'refuse-messages', code: '463' })
    const theirs = await ana.write(shop.number, 'Pode confirmar, sim!')
    await bubble('Pode confirmar').hover()
    await bubble('Pode confirmar').getByLabel('Reagir', { exact: true }).click()
    await button(/Reagir com 😂/).click()
    const reaction = log().getByLabel(/Reação 😂/)
    await reaction.waitFor()
    await reaction.waitFor({ state: 'detached' })
    await ana.received(shop.number, ({ id, reactions }) => id === theirs.id && reactions.length === 0)
  })

  it('shows the reaction that was there before, when WhatsApp refuses one after the other', async () => {
    const { product, ana, shop, bubble, button } = on()
    const theirs = await ana.write(shop.number, 'Combinado, então')
    const message = bubble('Combinado, então')
    const reaction = (emoji: string) => message.getByLabel(new RegExp(`Reação (${emoji}) de você`))
    const react = async (emoji: string) => {
      await message.hover()
      await message.getByLabel('Reagir', { exact: true }).click()
      await button(new RegExp(`Reagir com ${emoji}`)).click()
      await reaction(emoji).waitFor()
    }
    await react('👍')
    await ana.received(shop.number, ({ id, reactions }) => id === theirs.id && reactions.length === 1)
    await orderFault(product.url, { name: 'refuse-messages', code: '463', count: 2 })
    // The delay puts the second reaction before the refusal of the first.
    await orderFault(product.url, { name: 'delay', ms: 1500 })
    await react('❤️')
    await react('😂')
    await orderFault(product.url, { name: 'delay', ms: 0 })
    await reaction('👍').waitFor()
    expect(await reaction('❤️|😂').count()).toBe(0)
    await ana.received(shop.number, ({ id, reactions }) => id === theirs.id && reactions[0]?.emoji === '👍')
  })
}

export const offline = (on: OnStage) => {
  it('keeps what is written without internet, misses nothing of what came, and sends once it is back', async () => {
    const { page, browser, ana, shop, bubble, send, sees } = on()
    await browser.context.setOffline(true)
    await page.getByText('Você está sem internet').waitFor()
    await ana.write(shop.number, 'Escrevi enquanto vocês estavam sem internet')
    await send('Guardado até a internet voltar')
    await bubble('Guardado até a internet voltar').waitFor()
    await sees('chat-28-offline')
    await browser.context.setOffline(false)
    await page.getByText('Conexão restabelecida').waitFor()
    await bubble('Escrevi enquanto vocês').waitFor()
    await ana.received(shop.number, ({ text }) => text === 'Guardado até a internet voltar')
  })
}

export const reconnecting = (on: OnStage) => {
  it('shows that it reconnects, and that all is here once it is back', async () => {
    const { page, line, ana, shop, log, bubble, pictures } = on()
    await line.cut()
    await page.getByText('Reconectando ao Prosa').waitFor()
    await ana.write(shop.number, 'Escrevi enquanto o Prosa se reconectava')
    await pictures('chat-29-reconnecting')
    await line.mend()
    await page.getByText('Conexão restabelecida').waitFor()
    await pictures('chat-30-back')
    await bubble('Escrevi enquanto o Prosa').waitFor()
    expect(await log().getByText('Escrevi enquanto o Prosa').count()).toBe(1)
  })
}

/** Last chapter: deletes the connection. */
export const lastTroubles = (on: OnStage) => {
  it('shows on a message that waited that its connection was deleted, and where to go', async () => {
    const { page, product, marina, row, bubble, send, sees } = on()
    await page.getByRole('tab', { name: /Atendendo/ }).click()
    await row('Ana Souza').click()
    const isAnswer = (reply: Response) => new URL(reply.url()).pathname === '/api/whatsapp/send-message'
    await orderFault(product.url, { name: 'lose-messages', count: 100 })
    try {
      // 'Enviando' stands there before the server has it, which would then refuse it.
      const accepted = page.waitForResponse(isAnswer)
      await send('Seu pedido saiu para entrega')
      await bubble('Seu pedido saiu').getByRole('img', { name: 'enviando' }).waitFor()
      expect((await accepted).status()).toBe(202)
      const [connection] = await marina.connections()
      expect((await marina.ask('DELETE', `/api/whatsapp/connections/${connection?.id}`)).status).toBe(200)
      await bubble('Seu pedido saiu')
        .getByText(/^A conexão usada para esta mensagem foi removida/)
        .waitFor()
      await page.getByText('WhatsApp desconectado').first().waitFor()
      await page.getByPlaceholder('Conecte o WhatsApp para enviar mensagens').waitFor()
      await sees('chat-32-connection-deleted')
    } finally {
      // Else nothing that later chapters send would arrive.
      await fetch(`${product.url}/api/simulador/faults`, { method: 'DELETE' })
    }
  })

  it('takes apart again two contacts that are not the same person', async () => {
    const { page, product, marina, shop, row, bubble, button, sees, pictures } = on()
    const diego = await addPhone(product.url, 'Diego Reis', '41998765432', { hidesNumber: true })
    const { id } = await marina.link(shop, 'Padaria Sol')
    await diego.write(shop.number, 'Oi, vocês têm pão de fermentação natural?')
    await page.getByRole('tab', { name: /Aguardando/ }).click()
    await row('Diego Reis').waitFor()
    // Without a line nobody can be asked whose number it is; as soon as one opens, somebody is.
    await marina.ask('DELETE', `/api/whatsapp/connections/${id}`)
    await marina.post('/api/whatsapp/contacts', { phone: diego.number })
    await row('(41) 99876-5432').waitFor()
    await marina.link(shop, 'Padaria Sol')
    diego.showNumber(product.whatsapp)
    await diego.write(shop.number, 'Agora com o meu número')
    await row('(41) 99876-5432').waitFor({ state: 'detached' })
    await row('Diego Reis').click()
    await bubble('Agora com o meu número').waitFor()
    await page.keyboard.press('Control+i')
    await page.getByRole('heading', { name: 'Contatos unidos' }).waitFor()
    await sees('chat-33-merged')
    await whileRefusingEvents(product, ['contact', 'contactKey'], async () => {
      await button(/^Separar/).click()
      await page.getByText('Os contatos continuam unidos').waitFor()
      await pictures('chat-33-not-separated')
    })
    await button(/^Separar/).click()
    await page.getByRole('heading', { name: 'Contatos unidos' }).waitFor({ state: 'detached' })
    const apart = page.getByRole('listbox').getByRole('option', { name: /Diego Reis|99876-5432/ })
    await until(async () => (await apart.count()) === 2)
  })
}
