import { expect, it } from 'vitest'
import { orderFault } from '../simulated-phone.ts'
import type { OnStage } from './settings-stage.ts'

/** Leaves no connection. */
export const connectionsChapter = (on: OnStage) => {
  it('connects a number by QR code or by a code to type', async () => {
    const { page, product, shop, button, dialog, connection, sendCommand, sees, pictures } = on()
    await page.goto(`${product.url}/settings`)
    await page.getByText('Nenhuma conexão ainda').waitFor()
    await pictures('connections-01-none')
    await button('Adicionar Conexão').click()
    await page.getByLabel('Nome da conexão').fill('Padaria Sol')
    await page.getByRole('radio', { name: 'WhatsApp' }).waitFor()
    expect(await page.getByRole('radio', { name: 'Simulador' }).isChecked()).toBe(true)
    await sees('connections-02-name')
    await button('Adicionar').click()
    await dialog('Conectar WhatsApp').getByText('QR Code pronto - Escaneie agora').waitFor()
    await sees('connections-03-qr-code')
    await sendCommand({ type: 'StartLinking', data: { until: new Date(Date.now() + 3000).toISOString() } })
    await page.getByText('O QR Code expirou antes de ser lido.').waitFor()
    await page.getByText('00:00').waitFor()
    await pictures('connections-04-qr-code-expired')
    await button('Atualizar').click()
    await dialog('Conectar WhatsApp').getByText('QR Code pronto - Escaneie agora').waitFor()

    await button('Conectar com código').click()
    await button('Gerar código').click()
    await page.getByText('Informe o número do telefone com DDD.').waitFor()
    await pictures('connections-05-whose-code')
    const askForCode = async (phone: string) => {
      await page.getByLabel('Telefone do WhatsApp').fill(phone)
      await button('Gerar código').click()
    }
    await askForCode('11900000009')
    const code = page.getByRole('status', { name: 'Código para digitar no celular' })
    const ofNobody = await code.innerText()
    await button('Trocar o número').click()
    await askForCode('11900000002')
    await code.filter({ hasNotText: ofNobody }).waitFor()
    await sees('connections-06-code')
    await sendCommand({ type: 'ExpireLinking', data: { until: (await connection()).qrDeadline ?? '' } })
    await page.getByText('O tempo para digitar o código acabou.').waitFor()
    await pictures('connections-07-code-expired')
    await button('Tentar de novo').click()
    await button('Gerar código').click()
    await code.waitFor()
    await shop.enterCode(await code.innerText())
    await page.getByText('Conexão Estabelecida!').waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('(11) 90000-0002').waitFor()
    await sees('connections-08-connected')
  })

  it('disconnects, connects again, shows what went wrong, and deletes', async () => {
    const { page, product, shop, button, dialog, scanShown, sees, pictures } = on()
    await button('Ações de Padaria Sol').click()
    await page.getByRole('menuitem', { name: 'Desconectar' }).click()
    await dialog('Desconectar WhatsApp').waitFor()
    await pictures('connections-09-disconnecting')
    await dialog('Desconectar WhatsApp').getByRole('button', { name: 'Desconectar' }).click()
    await page.getByText(/Desconectado desde/).waitFor()
    await dialog('Desconectar WhatsApp').waitFor({ state: 'detached' })
    await pictures('connections-10-disconnected')

    const dropLine = async (code: '403' | '440') => {
      await orderFault(product.url, { name: 'refuse-logins', code })
      await orderFault(product.url, { name: 'drop-line', phoneId: shop.id })
    }
    await button('Atualizar').click()
    await scanShown()
    await page.getByText('Conexão Estabelecida!').waitFor()
    await dialog('Conectar WhatsApp').waitFor({ state: 'detached' })
    await dropLine('440')
    await page.getByText(/Outro programa assumiu esta conexão/).waitFor()
    await pictures('connections-11-replaced')
    // The phone still knows this device, so no code is needed.
    await button('Atualizar').click()
    await page.getByText('Conexão Estabelecida!').waitFor()
    await dialog('Conectar WhatsApp').waitFor({ state: 'detached' })
    await page.getByText(/Conectado desde/).waitFor()
    await dropLine('403')
    await button('Atualizar').waitFor()
    await sees('connections-12-refused')

    await button('Ações de Padaria Sol').click()
    await page.getByRole('menuitem', { name: 'Excluir' }).click()
    await dialog('Excluir conexão').waitFor()
    await pictures('connections-13-deleting')
    await dialog('Excluir conexão').getByRole('button', { name: 'Excluir' }).click()
    await page.getByText('Nenhuma conexão ainda').waitFor()
  })
}
