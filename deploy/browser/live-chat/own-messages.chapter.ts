import type { QuickReply } from '@prosa/contracts/http/quick-replies'
import { expect, it } from 'vitest'
import type { OnStage } from './chat-stage.ts'

const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n')

/** Ana's conversation is open and attended before and after. */
export const ownMessages = (on: OnStage) => {
  it('edits what was just sent, on the phone of the contact too', async () => {
    const { page, ana, shop, marina, bubble, composer, send, sees } = on()
    await send('O bolo de nozes custa R$ 180')
    const sent = await ana.received(shop.number, ({ text }) => text === 'O bolo de nozes custa R$ 180')
    await bubble('O bolo de nozes').getByRole('img', { name: 'entregue' }).waitFor()
    await composer().fill('um rascunho')
    await composer().fill('')
    await composer().press('ArrowUp')
    await page.getByRole('group', { name: 'Editando mensagem' }).waitFor()
    await expect.poll(() => composer().inputValue()).toBe('O bolo de nozes custa R$ 180')
    await sees('chat-13-editing')
    await composer().press('Escape')
    await page.getByRole('group', { name: 'Editando mensagem' }).waitFor({ state: 'detached' })
    await bubble('O bolo de nozes').hover()
    await bubble('O bolo de nozes').getByLabel('Mais ações').click()
    await sees('chat-14-message-menu')
    await page.getByRole('menuitem', { name: /^Editar/ }).click()
    await composer().fill('O bolo de nozes custa *R$ 170*')
    await composer().press('Enter')
    await ana.received(shop.number, ({ id, text }) => id === sent.id && text === 'O bolo de nozes custa *R$ 170*')
    await bubble('O bolo de nozes').getByText('editada').waitFor()
    await bubble('O bolo de nozes').locator('strong').getByText('R$ 170').waitFor()
    const found = async (words: string) =>
      (await marina.get<unknown[]>(`/api/whatsapp/search?q=${encodeURIComponent(words)}`)).length
    await expect.poll(() => found('nozes 170')).toBe(1)
    expect(await found('nozes 180')).toBe(0)
  })

  it('takes a message back for everyone', async () => {
    const { page, ana, shop, marina, row, log, bubble, dialog, send, sees } = on()
    await send('Isto era para outra pessoa')
    const sent = await ana.received(shop.number, ({ text }) => text === 'Isto era para outra pessoa')
    await bubble('Isto era para').hover()
    await bubble('Isto era para').getByLabel('Mais ações').click()
    await page.getByRole('menuitem', { name: /^Apagar para todos/ }).click()
    await sees('chat-15-delete-for-everyone')
    await dialog('Apagar esta mensagem para todos?').getByRole('button', { name: 'Apagar para todos' }).click()
    await ana.received(shop.number, ({ id, deleted }) => id === sent.id && deleted)
    await bubble('Mensagem apagada').getByText('Ver original').waitFor()
    await row('Ana Souza').getByText('Mensagem apagada').waitFor()
    await log().getByText('Isto era para outra pessoa').waitFor({ state: 'detached' })
    const found = await marina.get<unknown[]>('/api/whatsapp/search?q=outra%20pessoa')
    expect(found).toEqual([])
  })

  it('shows what people write as WhatsApp does, long texts by their beginning, and names of files with their ending', async () => {
    const { ana, shop, bubble, button, log, sees } = on()
    await ana.write(
      shop.number,
      '*Pedido* de _sábado_, sem ~glacê~ nada:\n- 1 bolo de nozes\n- 2 tortas\n> Entrega às 9h\nCódigo ```AB 12``` e `x`',
    )
    await ana.write(shop.number, `${'Olha, pensei bem no bolo e nas tortas. '.repeat(40)}Fim da história.`)
    await ana.sendFile(shop.number, pdf, {
      kind: 'document',
      mediaType: 'application/pdf',
      fileName: 'Orçamento do bolo de aniversário da Maria Eduarda, versão final 3.pdf',
    })
    const pedido = bubble('Código')
    await pedido.locator('strong').getByText('Pedido').waitFor()
    await pedido.locator('li').getByText('2 tortas').waitFor()
    await pedido.locator('blockquote').getByText('Entrega às 9h').waitFor()
    await log().getByText('l 3.pdf').waitFor()
    expect(await log().getByText('Fim da história').count()).toBe(0)
    await sees('chat-16-formatting')
    await button('Ler mais').click()
    await log().getByText('Fim da história').waitFor()
    await button('Ler menos').click()
  })

  it('offers quick replies behind a slash in the middle of a text, with the name of the contact', async () => {
    const { page, ana, shop, marina, composer, sees } = on()
    const { id } = await marina.post<QuickReply>('/api/quick-replies', {
      shortcut: 'retirada',
      content: '{nome}, seu pedido está pronto para retirar.',
    })
    await composer().fill('Boa tarde! /reti')
    await page.getByRole('listbox', { name: 'Respostas Rápidas' }).getByText('Ana, seu pedido').waitFor()
    await sees('chat-18-slash-in-text', async () => {
      await composer().fill('')
      await composer().fill('Boa tarde! /reti')
    })
    await composer().press('Enter')
    await expect.poll(() => composer().inputValue()).toBe('Boa tarde! Ana, seu pedido está pronto para retirar.')
    await composer().press('Enter')
    await ana.received(shop.number, ({ text }) => text === 'Boa tarde! Ana, seu pedido está pronto para retirar.')
    await marina.ask('DELETE', `/api/quick-replies/${id}`)
  })
}

export const emojis = (on: OnStage) => {
  it('puts an emoji where the caret stands, found by a Portuguese word, from nobody else’s server', async () => {
    const { page, product, composer, button, dialog, sees } = on()
    const elsewhere: string[] = []
    page.on('request', (request) => {
      if (/^https?:/.test(request.url()) && !request.url().startsWith(product.url)) elsewhere.push(request.url())
    })
    await composer().fill('Feliz aniversário!')
    await composer().press('Home')
    for (let step = 0; step < 'Feliz'.length; step++) await composer().press('ArrowRight')
    await composer().press('Control+;')
    const emoji = (words: string) => dialog('Emojis').locator(`.emoji[title*="${words}"]`).first()
    await emoji('rosto').waitFor()
    await sees('chat-17-emojis')
    // A resting pointer would select another emoji when the list scrolls under it.
    await page.mouse.move(0, 0)
    await page.getByLabel('Buscar emoji').fill('coracao vermelho')
    await emoji('coração vermelho').waitFor()
    const named = () => dialog('Emojis').locator('.emoji-name').innerText()
    await expect.poll(named).toContain('coração vermelho')
    await page.keyboard.press('ArrowDown')
    await expect.poll(named).not.toContain('coração vermelho')
    const [chosen = ''] = (await named()).split(' ')
    expect(chosen).toMatch(/^\p{Extended_Pictographic}\ufe0f?$/u)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await page.keyboard.type(' e')
    await dialog('Emojis').waitFor({ state: 'detached' })
    await expect.poll(() => composer().inputValue()).toBe(`Feliz${chosen} e aniversário!`)
    await composer().fill('')
    expect(await button('Emoji').isEnabled()).toBe(true)
    expect(elsewhere).toEqual([])
  })
}
