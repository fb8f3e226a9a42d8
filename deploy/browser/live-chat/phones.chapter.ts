import { it } from 'vitest'
import { takesPictures } from '../pictures.ts'
import { screenOf } from '../stage.ts'
import type { OnStage } from './chat-stage.ts'

export const phones = (on: OnStage) => {
  it('shows the other side of it all on the simulated phones', async () => {
    const { browser, product } = on()
    const { page, button, dialog, sees } = screenOf(await browser.context.newPage())
    const phoneOf = (name: string) => page.getByRole('region', { name })
    await page.goto(`${product.url}/simulador`)
    await phoneOf('Ana Souza')
      .getByRole('button', { name: /Padaria Sol/ })
      .click()
    await phoneOf('Ana Souza').getByText('Posso confirmar o pedido?').waitFor()
    await button('Escanear QR com Clara Dias').click()
    await sees('phones-01-chats')
    await phoneOf('Ana Souza').getByRole('button', { name: 'Gravar mensagem de voz' }).click()
    await phoneOf('Ana Souza')
      .getByRole('timer')
      .filter({ hasText: /0:0[1-9]/ })
      .waitFor()
    await sees('phones-02-recording', () => phoneOf('Ana Souza').getByRole('timer').scrollIntoViewIfNeeded())
    await button('Enviar mensagem de voz').click()
    await phoneOf('Ana Souza').getByLabel('Mensagem de voz').last().waitFor()
    await button('Novo grupo').click()
    await dialog().waitFor()
    await sees('phones-03-group')
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })

    await page.getByText('Provocar falhas').click()
    await button('Perder a próxima mensagem do Prosa').click()
    await page.getByText('Falta acontecer: perder 1 mensagem.').waitFor()
    await sees('phones-04-faults', () => page.getByText('Falta acontecer').scrollIntoViewIfNeeded())
    await button('Desfazer').click()
    await page.getByText('Falta acontecer').waitFor({ state: 'detached' })
    await page.close()
  })
}

/** For pictures only: `simulated-people.test.ts` covers the button. Fills the lists. */
export const exampleMorning = (on: OnStage) => {
  if (!takesPictures) return
  it('fills an account with a morning to look at', async () => {
    const { browser, product } = on()
    const { page, button, sees } = screenOf(await browser.context.newPage())
    await page.goto(`${product.url}/simulador`)
    await button('Encher com uma manhã de exemplo').click()
    await page.getByRole('progressbar', { name: 'Manhã de exemplo' }).waitFor()
    await sees('phones-05-filling')
    await page.getByRole('progressbar', { name: 'Manhã de exemplo' }).waitFor({ state: 'detached', timeout: 60_000 })
    await sees('phones-06-filled')
    await page.goto(`${product.url}/live-chat`)
    await page.getByRole('listbox').getByRole('option').nth(3).click()
    await page.getByRole('log').waitFor()
    await sees('chat-35-morning')
    await page.close()
  })
}
