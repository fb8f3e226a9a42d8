import type { QuickReply } from '@prosa/contracts/http/quick-replies'
import { examplePicture, examplePictureSize } from '@prosa/sandbox/demo/example-picture'
import { expect, it } from 'vitest'
import type { OnStage } from './chat-stage.ts'
import { paintedSticker } from './painted-media.ts'

const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n')

/** Leaves Ana's conversation open and attended, with two quick replies. */
export const conversation = (on: OnStage) => {
  it('shows what people send: text, pictures, voice, files and stickers', async () => {
    const { page, ana, shop, row, log, button, dialog, sees } = on()
    await ana.write(shop.number, 'Bom dia! Vocês fazem bolo de aniversário?')
    await ana.sendFile(shop.number, examplePicture(0), {
      kind: 'image',
      mediaType: 'image/png',
      caption: 'Queria um assim, olha: https://padariasol.com.br/bolos',
      ...examplePictureSize,
    })
    await ana.sendExample(shop.number, 'voice')
    await ana.sendFile(shop.number, pdf, {
      kind: 'document',
      mediaType: 'application/pdf',
      fileName: 'Lista de convidados.pdf',
    })
    await ana.sendFile(shop.number, await paintedSticker(page), {
      kind: 'sticker',
      mediaType: 'image/webp',
      width: 256,
      height: 256,
    })
    await row('Ana Souza').getByLabel('5 mensagens não lidas').waitFor()
    await row('Ana Souza').click()
    await page.getByRole('separator', { name: 'Novas mensagens' }).waitFor()
    await log().getByRole('img', { name: 'Figurinha' }).waitFor()
    await log()
      .getByRole('img', { name: /Queria um assim/ })
      .waitFor()
    await log().getByLabel('Baixar Lista de convidados.pdf').waitFor()
    await row('Ana Souza')
      .getByLabel(/não lida/)
      .waitFor({ state: 'detached' })
    await sees('chat-06-everything-in')

    await log()
      .getByRole('button', { name: /Abrir foto/ })
      .click()
    await dialog('Foto de Ana Souza').locator('img').waitFor()
    await dialog('Foto de Ana Souza').getByRole('progressbar').waitFor({ state: 'detached' })
    await sees('chat-07-picture')
    await page.keyboard.press('Escape')
    await log().getByRole('button', { name: 'Ouvir mensagem de voz' }).click()
    await log().getByRole('button', { name: 'Pausar mensagem de voz' }).waitFor()
    await log().getByRole('button', { name: 'Velocidade 1×' }).click()
    await log().getByRole('button', { name: 'Ouvir mensagem de voz' }).waitFor()
    await button(/^Aceitar/).click()
    await button(/^Finalizar/).waitFor()
  })

  it('follows a conversation: quotes, reactions, edits, deletions, typing', async () => {
    const { page, ana, shop, log, bubble, button, dialog, send, sees } = on()
    await bubble('bolo de aniversário').hover()
    await bubble('bolo de aniversário').getByLabel('Responder citando').click()
    await page.getByRole('group', { name: 'Respondendo a' }).waitFor()
    await send('Bom dia, Ana! Fazemos sim, com dois dias de antecedência.')
    const answer = await ana.received(shop.number, ({ text }) => text.includes('antecedência'))
    expect(answer.quoted?.text).toContain('bolo de aniversário')
    await ana.write(shop.number, 'Que bom! Quero para sábado.', { quotedId: answer.id })
    const wrong = await ana.write(shop.number, 'Para 20 pessoas')
    const secret = await ana.write(shop.number, 'É surpresa do Bruno')
    await bubble('É surpresa do Bruno').waitFor()
    await ana.edit(shop.number, wrong.id, 'Para 30 pessoas')
    await ana.takeBack(shop.number, secret.id)
    await ana.react(shop.number, answer.id, '❤️')
    await log()
      .getByLabel(/Reação ❤️ de Ana Souza/)
      .waitFor()
    await bubble('Mensagem apagada').getByText('Ver original').click()
    await bubble('É surpresa do Bruno').waitFor()
    await bubble('Para 30 pessoas').getByText('editada').click()
    await bubble('Antes da edição').getByText('Para 20 pessoas').waitFor()

    await bubble('Para 30 pessoas').hover()
    await bubble('Para 30 pessoas').getByLabel('Reagir', { exact: true }).click()
    await dialog('Reagir à mensagem').waitFor()
    await sees('chat-08-reacting')
    await button(/Reagir com 👍/).click()
    await ana.received(
      shop.number,
      ({ id, reactions }) => id === wrong.id && reactions.some(({ emoji }) => emoji === '👍'),
    )
    await ana.show(shop.number, 'composing')
    await page.getByText('digitando...').waitFor()
    await sees('chat-09-conversation')
    await ana.show(shop.number, 'paused')
  })

  it('sends a picture, a voice message and a quick reply', async () => {
    const { page, marina, ana, shop, button, composer, sees } = on()
    const choosing = page.waitForEvent('filechooser')
    await button('Anexar').click()
    await page.getByRole('menuitem', { name: 'Fotos, vídeos e áudios' }).click()
    await (await choosing).setFiles({ name: 'bolo.png', mimeType: 'image/png', buffer: examplePicture(1) })
    const caption = page.getByLabel('Legenda de bolo.png')
    await caption.fill('Este é o nosso de morango')
    await page.getByRole('group', { name: 'Arquivos para enviar' }).waitFor()
    await sees('chat-10-attaching')
    await caption.press('Enter')
    await ana.received(shop.number, ({ kind, text }) => kind === 'image' && text === 'Este é o nosso de morango')

    await button('Gravar mensagem de voz').click()
    await page.getByRole('status').filter({ hasText: 'Gravando' }).waitFor()
    await page
      .getByRole('timer')
      .filter({ hasText: /0:0[1-9]/ })
      .waitFor()
    await sees('chat-11-recording')
    await button('Enviar mensagem de voz').click()
    await ana.received(shop.number, ({ kind, fromMe }) => kind === 'voice' && !fromMe)

    await composer().fill('/')
    await page.getByText('Você ainda não tem respostas rápidas ativas.').waitFor()
    await composer().fill('')
    for (const [shortcut, content] of [
      ['pix', 'Nossa chave Pix é o CNPJ da padaria: 12.345.678/0001-90.'],
      ['horario', 'Abrimos de segunda a sábado, das 6h às 20h, e no domingo das 7h às 13h.'],
    ])
      await marina.post<QuickReply>('/api/quick-replies', { shortcut, content })
    await composer().fill('/')
    await page.getByRole('listbox', { name: 'Respostas Rápidas' }).getByText('/horario').waitFor()
    await sees('chat-12-quick-replies', async () => {
      await composer().fill('')
      await composer().fill('/')
    })
    await composer().fill('/pi')
    await composer().press('Enter')
    await page.keyboard.press('Enter')
    await ana.received(shop.number, ({ text }) => text.startsWith('Nossa chave Pix'))
  })
}
