import { examplePicture } from '@prosa/sandbox/demo/example-picture'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { OnStage } from './chat-stage.ts'
import { dropWithLargeFile } from './painted-media.ts'

const withoutPermission = async (page: Page, use: () => Promise<void>) => {
  const browser = await page.context().newCDPSession(page)
  const { origin } = new URL(page.url())
  await browser.send('Browser.setPermission', { permission: { name: 'microphone' }, setting: 'denied', origin })
  await use()
  // Detaching also resets permissions.
  await browser.detach()
  await page.context().grantPermissions(['microphone'])
}

/** Requests for the microphone fail as if it were missing or in use. */
const withoutMicrophone = async (page: Page, error: 'NotFoundError' | 'NotReadableError', use: () => Promise<void>) => {
  await page.evaluate((name) => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no microphone', name))
  }, error)
  await use()
  await page.evaluate(() => Reflect.deleteProperty(navigator.mediaDevices, 'getUserMedia'))
}

/** The browser records in no format that WhatsApp plays. */
const withoutFormat = async (page: Page, use: () => Promise<void>) => {
  await page.evaluate(() => {
    const known = MediaRecorder.isTypeSupported
    Object.assign(MediaRecorder, { known, isTypeSupported: () => false })
  })
  await use()
  await page.evaluate(() => Object.assign(MediaRecorder, { isTypeSupported: Reflect.get(MediaRecorder, 'known') }))
}

/** Ana's conversation is open and attended. Leaves it open. */
export const refusals = (on: OnStage) => {
  it('shows why nothing can be recorded, and keeps what was written', async () => {
    const { page, ana, shop, composer, button, sees, pictures } = on()
    const isRefused = (why: RegExp) => page.getByRole('alert').filter({ hasText: why }).waitFor()
    const close = async () => {
      await button('Fechar').click()
      await composer().waitFor()
      expect(await composer().evaluate((element) => element === document.activeElement)).toBe(true)
      expect(await composer().inputValue()).toBe('Melhor eu escrever')
    }
    await composer().fill('Melhor eu escrever')
    await withoutPermission(page, async () => {
      await button('Gravar mensagem de voz').click()
      await isRefused(/O navegador não deixou usar o microfone\. Permita/)
      await sees('chat-36-microphone-denied')
      await close()
    })
    await withoutMicrophone(page, 'NotFoundError', async () => {
      await button('Gravar mensagem de voz').click()
      await isRefused(/Nenhum microfone foi encontrado/)
      await close()
    })
    await withoutMicrophone(page, 'NotReadableError', async () => {
      await button('Gravar mensagem de voz').click()
      await isRefused(/O microfone está em uso por outro programa/)
      await close()
    })
    await withoutFormat(page, async () => {
      await button('Gravar mensagem de voz').click()
      await isRefused(/Este navegador não grava voz/)
      await pictures('chat-36-cannot-record')
      await close()
    })
    await composer().press('Enter')
    await ana.received(shop.number, ({ text }) => text === 'Melhor eu escrever')
  })

  it('shows how much of a file has left, and gives it up', async () => {
    const { page, ana, shop, bubble, send, pictures } = on()
    const network = await page.context().newCDPSession(page)
    await network.send('Network.enable')
    await network.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: 0, downloadThroughput: -1 },
      uploadThroughput: 100 * 1024,
    })
    const buffer = Buffer.alloc(4 * 1024 * 1024, 'Receitas da casa. ')
    await page
      .getByLabel('Documento', { exact: true })
      .setInputFiles({ name: 'receitas.txt', mimeType: 'text/plain', buffer })
    await page.getByLabel('Legenda de receitas.txt').fill('As receitas da casa')
    await page.getByLabel('Legenda de receitas.txt').press('Enter')
    const going = bubble('As receitas da casa')
    await going.getByRole('progressbar', { name: /^Enviando arquivo, [1-9]\d? %/ }).waitFor()
    await pictures('chat-37-uploading')
    await going.getByRole('button', { name: 'Cancelar envio' }).click()
    await going.waitFor({ state: 'detached' })
    await network.detach()
    await send('As receitas ficam para outro dia')
    await ana.received(shop.number, ({ text }) => text === 'As receitas ficam para outro dia')
  })

  it('leaves a file behind that is too large, names the limit, and sends the others', async () => {
    const { page, ana, shop, composer, button, send, sees } = on()
    const uploads: number[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/api/whatsapp/media')) uploads.push(request.postDataBuffer()?.length ?? 0)
    })
    await composer().fill('O bolo de sábado')
    await dropWithLargeFile(page, '[data-history]', {
      large: { name: 'festa completa.mkv', type: 'video/x-matroska', megabytes: 101 },
      other: { name: 'bolo.png', type: 'image/png', base64: examplePicture(4).toString('base64') },
    })
    const refused = page.getByRole('alert').filter({ hasText: 'O arquivo tem 101 MB e o limite do WhatsApp é 100 MB.' })
    await refused.waitFor()
    await sees('chat-37-too-large')
    await page.getByLabel('Legenda de bolo.png').press('Enter')
    await ana.received(shop.number, ({ kind, text }) => kind === 'image' && text === 'O bolo de sábado')
    await refused.waitFor()
    await send('O filme não coube aqui')
    await ana.received(shop.number, ({ text }) => text === 'O filme não coube aqui')
    await button('Remover festa completa.mkv').click()
    await refused.waitFor({ state: 'detached' })
    page.removeAllListeners('request')
    expect(uploads).toHaveLength(1)
  })
}
