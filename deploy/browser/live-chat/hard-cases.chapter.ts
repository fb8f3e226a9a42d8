import { randomUUID } from 'node:crypto'
import { refusals } from '@prosa/contracts/refusals'
import { expect, it } from 'vitest'
import { holdReading } from '../reading-fails.ts'
import type { OnStage } from './chat-stage.ts'

/** Leaves Ana's conversation open. */
export const hardCases = (on: OnStage) => {
  it('shows the shape of what comes, what cannot be read and that nothing is lost', async () => {
    const { page, product, row, log, button, sees, pictures } = on()
    const lists = /\/api\/whatsapp\/contacts\?/
    const messages = /\/api\/whatsapp\/contacts\/[^/]+\/messages/
    const contacts = await holdReading(page, lists)
    await page.goto(`${product.url}/live-chat`)
    await page.getByText('Carregando contatos...').waitFor()
    await pictures('chat-41-contacts-coming')
    await contacts.fail()
    await page.getByText('As conversas não puderam ser carregadas').waitFor()
    await sees('chat-42-contacts-not-read')
    await contacts.letGo()
    await page.reload()
    await page.getByRole('tab', { name: /Atendendo/ }).click()
    const reading = await holdReading(page, messages)
    await row('Ana Souza').click()
    await page.getByText('Carregando mensagens...').waitFor()
    await pictures('chat-43-messages-coming')
    await reading.fail()
    await page.getByText('As mensagens não puderam ser carregadas').waitFor()
    await pictures('chat-44-messages-not-read')
    await reading.letGo()
    await button('Tentar de novo').click()
    await log().waitFor()
  })

  it('takes as many files as one can look over, and shows that the others stay behind', async () => {
    const { page, button, sees } = on()
    const files = Array.from({ length: 32 }, (_, index) => ({
      name: `receita ${index}.txt`,
      mimeType: 'text/plain',
      buffer: Buffer.from('Farinha, ovos e manteiga.'),
    }))
    await page.getByLabel('Fotos, vídeos e áudios').setInputFiles(files)
    await page.getByText('No máximo 30 arquivos de cada vez').waitFor()
    await sees('chat-48-too-many-files')
    const tray = page.getByRole('group', { name: 'Arquivos para enviar' })
    expect(await tray.getByRole('button', { name: /^receita \d+\.txt$/ }).count()).toBe(30)
    await button('Remover receita 0.txt').click()
    await button('Remover receita 1.txt').waitFor()
  })

  it('shows that a conversation is not there any more, that nothing is called so, and that a search did not work', async () => {
    const { page, product, row, button, composer, sees, pictures } = on()
    await page.goto(`${product.url}/live-chat?contato=${randomUUID()}`)
    await page.getByText('Esta conversa não existe mais').waitFor()
    await pictures('chat-45-conversation-gone')
    await button('Voltar para as conversas').click()
    await page.getByRole('tab', { name: /Atendendo/ }).click()
    const search = await holdReading(page, /\/api\/whatsapp\/search/)
    await page.getByRole('combobox', { name: 'Buscar atendimento e mensagens' }).fill('girassol')
    await page.getByRole('status', { name: 'Buscando nas mensagens...' }).waitFor()
    await search.fail()
    await page.getByText('As mensagens não puderam ser buscadas').waitFor()
    await sees('chat-46-search-fails')
    await search.letGo()
    await button('Limpar busca').click()
    await page.getByRole('combobox', { name: 'Buscar atendimento e mensagens' }).fill('recado')
    const results = page.getByRole('listbox', { name: 'Resultados da busca' }).getByRole('option')
    const more = results.filter({ hasText: 'Mais resultados' })
    await more.waitFor()
    const found = await results.count()
    await more.click()
    await results.nth(found).waitFor()
    await pictures('chat-51-many-results', () => more.scrollIntoViewIfNeeded())
    await button('Limpar busca').click()
    const replies = await holdReading(page, /\/api\/quick-replies$/)
    await row('Ana Souza').click()
    await composer().fill('/')
    await page.getByText('Carregando respostas rápidas...').waitFor()
    expect(await page.getByText('0 respostas').count()).toBe(0)
    await pictures('chat-49-replies-coming', async () => {
      await composer().fill('')
      await composer().fill('/')
    })
    await replies.fail()
    await page.getByText(refusals.unexpected.title).waitFor()
    await pictures('chat-50-replies-not-read', async () => {
      await composer().fill('')
      await composer().fill('/')
    })
    await replies.letGo()
    await page.locator('form').getByRole('button', { name: 'Tentar de novo' }).click()
    await composer().fill('/frete')
    await page.getByText('Nenhuma resposta rápida encontrada para "frete"').waitFor()
    await pictures('chat-47-no-such-reply', async () => {
      await composer().fill('')
      await composer().fill('/frete')
    })
    await composer().fill('')
  })
}
