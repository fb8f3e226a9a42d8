import { until } from '@prosa/kernel/testing/until'
import { isSignedWith, startReceiver } from '@prosa/streams/webhooks/testing/receiver'
import { expect, it } from 'vitest'
import type { OnStage } from './settings-stage.ts'

/** The receiver is on this machine, which only a product of development and tests may reach. */
export const webhooksChapter = (on: OnStage) => {
  it('sends events to an address: adds, tests, repeats, changes the secret, pauses, deletes', async () => {
    const { page, button, dialog, sees, pictures, product } = on()
    const receiver = await startReceiver()
    try {
      await page.goto(`${product.url}/settings?secao=integracoes`)
      await page.getByText('Nenhum webhook ainda').waitFor()
      await sees('webhooks-01-none')

      await button('Novo webhook').click()
      await button('Criar').click()
      await page.getByText('Escolha ao menos um tipo de evento.').waitFor()
      await page.getByLabel('Nome', { exact: true }).fill('Planilha de vendas')
      await page.getByLabel('Endereço', { exact: true }).fill('https://10.0.0.1/prosa')
      await page.getByRole('checkbox', { name: /^Conversas: todos/ }).check()
      await pictures('webhooks-02-filling')
      await button('Criar').click()
      await page
        .getByText('Este endereço é de uma rede interna. Use um que se alcance pela internet.')
        .first()
        .waitFor()
      await sees('webhooks-03-refused')
      await page.getByLabel('Endereço', { exact: true }).fill(receiver.url)
      await page.getByLabel('Enviar também dados pessoais').check()
      await button('Criar').click()
      await dialog('Guarde o segredo agora').waitFor()
      const secret = (await page.locator('code').textContent()) ?? ''
      expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
      await sees('webhooks-04-secret')
      await button('Já guardei').click()

      await button('Enviar teste').click()
      await page.getByText('respondeu 200').waitFor()
      expect(receiver.received.map((one) => isSignedWith(secret, one))).toEqual([true])
      receiver.answer(404)
      await button('Enviar teste').click()
      await page.getByText('Falhou', { exact: true }).waitFor()
      await sees('webhooks-05-tested')
      receiver.answer(200)
      await button('Repetir').click()
      await page.getByText('Falhou', { exact: true }).waitFor({ state: 'detached' })
      await until(() => receiver.received.length === 3)

      await button('Ações de Planilha de vendas').click()
      await page.getByRole('menuitem', { name: 'Trocar segredo' }).click()
      await dialog('Trocar o segredo').getByRole('button', { name: 'Trocar' }).click()
      await dialog('Guarde o segredo agora').waitFor()
      expect(await page.locator('code').textContent()).not.toBe(secret)
      await button('Já guardei').click()
      await button('Pausar').click()
      await page.getByText('Pausado', { exact: true }).waitFor()
      await sees('webhooks-06-paused')
      await button('Religar').click()
      await page.getByText('Ativo', { exact: true }).waitFor()

      await button('Ações de Planilha de vendas').click()
      await page.getByRole('menuitem', { name: 'Excluir' }).click()
      await dialog('Excluir “Planilha de vendas”').waitFor()
      await pictures('webhooks-07-deleting')
      await dialog('Excluir “Planilha de vendas”').getByRole('button', { name: 'Excluir' }).click()
      await page.getByText('Nenhum webhook ainda').waitFor()
    } finally {
      await receiver.close()
    }
  })
}
