import { expect, it } from 'vitest'
import type { OnStage } from './chat-stage.ts'

export const details = (on: OnStage) => {
  const panel = () => on().page.getByRole('complementary', { name: 'Detalhes do contato' })

  it('keeps a name of its own for a contact, by which the search finds them', async () => {
    const { page, row, button, ana, shop, sees } = on()
    await page.getByRole('tab', { name: /Atendendo/ }).click()
    await row('Ana Souza').click()
    await button('Detalhes do contato').click()
    const name = panel().getByLabel('Nome do contato')
    await panel().getByRole('button', { name: 'Mudar o nome' }).click()
    await name.fill('Ana do bolo de domingo')
    await sees('details-01-renaming')
    // Through the drawer of a narrow window and back.
    expect(await name.inputValue()).toBe('Ana do bolo de domingo')
    await name.press('Enter')
    await panel().getByText('No WhatsApp: Ana Souza').waitFor()
    await ana.write(shop.number, 'Pode ser de laranja?')
    await row('Ana do bolo de domingo').getByText('Pode ser de laranja?').waitFor()
    const search = page.getByRole('combobox', { name: 'Buscar atendimento e mensagens' })
    await search.fill('bolo de domingo')
    await page
      .getByRole('listbox', { name: 'Resultados da busca' })
      .getByText('Ana do bolo de domingo')
      .first()
      .waitFor()
    await button('Limpar busca').click()
  })

  it('keeps notes with who wrote them and when, and deletes one after asking', async () => {
    const { button, dialog, sees } = on()
    await panel().getByLabel('Nova nota').fill('Prefere receber depois das 18h.\nAlérgica a amendoim.')
    await button('Salvar nota').click()
    const notes = panel().getByRole('list', { name: 'Notas escritas' })
    await notes.getByText('Alérgica a amendoim.').waitFor()
    await notes.getByText(/Marina Alves · hoje, \d\d:\d\d/).waitFor()
    await panel().getByLabel('Nova nota').fill('Errada')
    await button('Salvar nota').click()
    await notes.getByText('Errada').waitFor()
    await sees('details-02-notes')
    await notes.getByRole('listitem').filter({ hasText: 'Errada' }).getByRole('button', { name: 'Apagar nota' }).click()
    await dialog('Apagar nota').getByRole('button', { name: 'Apagar' }).click()
    await notes.getByText('Errada').waitFor({ state: 'detached' })
    await notes.getByText('Alérgica a amendoim.').waitFor()
  })

  it('copies the phone', async () => {
    const { page, browser, product, ana } = on()
    await browser.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: product.url })
    await panel().getByRole('button', { name: 'Copiar o telefone' }).click()
    await page.getByText('Telefone copiado').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`(11) 98877-${ana.number.slice(-4)}`)
  })
}
