import { until } from '@prosa/kernel/testing/until'
import { examplePicture, examplePictureSize } from '@prosa/sandbox/demo/example-picture'
import { it } from 'vitest'
import type { OnStage } from './chat-stage.ts'
import { dragOver, filmedVideo, paste, videoSize } from './painted-media.ts'

const words = Buffer.from('Isto é um texto e nada mais.')

/** Ana's conversation is open before and after. */
export const filesOnTheirWay = (on: OnStage) => {
  it('keeps the place of a file that is on its way, and shows why one cannot be had', async () => {
    const { product, ana, shop, log, bubble, sees } = on()
    product.whatsapp.media.stop()
    await ana.sendFile(shop.number, examplePicture(2), {
      kind: 'image',
      mediaType: 'image/png',
      caption: 'A decoração vai ser assim',
      ...examplePictureSize,
    })
    await ana.sendFile(shop.number, words, { kind: 'image', mediaType: 'image/png', caption: 'E este é o convite' })
    await bubble('A decoração').getByText('Chegando do WhatsApp').waitFor()
    await sees('chat-20-file-on-its-way')
    await product.whatsapp.media.start()
    await log()
      .getByRole('img', { name: /A decoração/ })
      .waitFor()
    await bubble('E este é o convite').getByRole('button', { name: 'Tentar de novo' }).waitFor()
    await sees('chat-21-file-not-to-be-had')
  })
}

export const videos = (on: OnStage) => {
  it('plays a video that came, and sends one that is dropped on the conversation', async () => {
    const { page, ana, shop, log, bubble, sees, pictures } = on()
    const video = await filmedVideo(page)
    await ana.sendFile(shop.number, video, {
      kind: 'video',
      mediaType: 'video/mp4',
      caption: 'O salão da festa',
      seconds: 1,
      ...videoSize,
    })
    await log()
      .getByRole('button', { name: /Ver vídeo: O salão/ })
      .click()
    const player = bubble('O salão da festa').locator('video')
    await until(() => player.evaluate((element) => (element as HTMLVideoElement).currentTime > 0))

    const file = { name: 'vitrine.mp4', type: 'video/mp4', base64: video.toString('base64') }
    const dragged = await dragOver(page, '[data-history]', file)
    await page.getByText('Solte para anexar').waitFor()
    await pictures('chat-22-dropping')
    await dragged.drop()
    const caption = page.getByLabel('Legenda de vitrine.mp4')
    await page.getByText(/Vai como vídeo/).waitFor()
    await caption.fill('A nossa vitrine hoje')
    await caption.press('Enter')
    await ana.received(shop.number, ({ kind, text }) => kind === 'video' && text === 'A nossa vitrine hoje')
    await sees('chat-23-videos')
  })
}

export const pastedFiles = (on: OnStage) => {
  it('sends a picture that is pasted, and refuses programs and files of a lying type', async () => {
    const { page, ana, shop, composer, bubble, button, sees, pictures } = on()
    await composer().focus()
    await paste(page, { name: 'tela.png', type: 'image/png', base64: examplePicture(3).toString('base64') })
    await page.getByLabel('Legenda de tela.png').fill('Assim fica o recibo')
    await page.getByLabel('Legenda de tela.png').press('Enter')
    await ana.received(shop.number, ({ kind, text }) => kind === 'image' && text === 'Assim fica o recibo')

    const program = { name: 'catalogo.exe', type: 'application/x-msdownload', base64: words.toString('base64') }
    await (await dragOver(page, '[data-history]', program)).drop()
    await page.getByRole('alert').filter({ hasText: 'Programas não podem ser enviados.' }).waitFor()
    await sees('chat-24-program')
    await button('Remover catalogo.exe').click()

    const liar = { name: 'receita.mp4', type: 'video/mp4', base64: words.toString('base64') }
    await (await dragOver(page, '[data-history]', liar)).drop()
    await page.getByLabel('Legenda de receita.mp4').fill('A receita em vídeo')
    await page.getByLabel('Legenda de receita.mp4').press('Enter')
    const refused = bubble('A receita em vídeo')
    await refused.getByText('O conteúdo do arquivo não é do tipo que ele diz ser').waitFor()
    await pictures('chat-25-lying-type')
    await refused.getByRole('button', { name: 'Descartar' }).click()
    await refused.waitFor({ state: 'detached' })
  })
}
