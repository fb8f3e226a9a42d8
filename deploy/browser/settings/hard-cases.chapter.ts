import { refusals } from '@prosa/contracts/refusals'
import { expect, it } from 'vitest'
import { whileRefusingEvents } from '../database-faults.ts'
import { lineOf } from '../live-chat/line.ts'
import { holdReading } from '../reading-fails.ts'
import type { OnStage } from './settings-stage.ts'

const longName = 'Confeitaria Nossa Senhora do Perpétuo Socorro, loja central'

/** Leaves three sessions and nine quick replies. */
export const hardCases = (on: OnStage) => {
  it('shows the shape of what comes, what cannot be read and how to go on', async () => {
    const { page, product, button, sees, pictures } = on()
    const places = [
      { path: '/settings', api: /\/api\/whatsapp\/connections$/, notice: 'As conexões não puderam ser lidas' },
      { path: '/whatsapp-sessions', api: /\/api\/whatsapp\/sessions$/, notice: 'As sessões não puderam ser lidas' },
      {
        path: '/settings?secao=respostas-rapidas',
        api: /\/api\/quick-replies$/,
        notice: 'As respostas rápidas não puderam ser lidas',
      },
    ]
    // Cut, because a push would deliver what must be read.
    const line = await lineOf(page)
    await line.cut()
    for (const [index, { path, api, notice }] of places.entries()) {
      const reading = await holdReading(page, api)
      await page.goto(product.url + path)
      await page.getByRole('status', { name: 'Carregando...' }).first().waitFor()
      await pictures(`hard-0${index + 1}-loading`)
      await reading.fail()
      await page.getByText(notice).waitFor()
      await (index === 0 ? sees : pictures)(`hard-0${index + 4}-not-read`)
      await reading.letGo()
    }
    await button('Tentar de novo').click()
    await page.getByRole('heading', { name: '/pix' }).waitFor()
    await line.mend()
  })

  it('holds long names and long texts, and finds one of many quick replies', async () => {
    const { page, product, marina, button, sees, pictures } = on()
    for (let count = 1; count <= 8; count++)
      await marina.post('/api/quick-replies', {
        shortcut: `entrega-em-domicilio-no-bairro-${count}`,
        content: `Entregamos no bairro ${count} de terça a domingo. `.repeat(count * 2),
      })
    await page.reload()
    const search = page.getByRole('textbox', { name: 'Buscar respostas rápidas' })
    await search.waitFor()
    await sees('hard-07-many-replies')
    await search.fill('bairro-7')
    await page.getByRole('heading', { name: /^\/entrega/ }).waitFor()
    expect(await page.getByRole('heading', { name: /^\// }).count()).toBe(1)
    await search.fill('frete')
    await page.getByText('Nenhuma resposta rápida encontrada para "frete"').waitFor()
    await pictures('hard-08-no-such-reply')
    await button('Limpar busca').click()

    for (const name of [longName, 'Loja do centro', 'Atacado']) await marina.post('/api/whatsapp/connections', { name })
    await page.goto(`${product.url}/whatsapp-sessions`)
    await page.getByRole('heading', { name: longName }).waitFor()
    await sees('hard-09-long-sessions')
    await page.goto(`${product.url}/settings`)
    await page.getByText(longName).waitFor()
    await pictures('hard-10-long-connections')
  })

  it('shows what was not added, not changed and not deleted, and leaves it as it was', async () => {
    const { page, product, button, dialog, sees, pictures } = on()
    const fails = (notice: string) =>
      page
        .getByRole('region', { name: /^Avisos/ })
        .getByText(notice)
        .waitFor()
    const refuses = async (dialogName: string, verb: string, notice: string) => {
      await dialog(dialogName).getByRole('button', { name: verb, exact: true }).click()
      await fails(notice)
      await dialog(dialogName).waitFor({ state: 'detached' })
    }
    await whileRefusingEvents(product, ['connection'], async () => {
      await button('Ações de Atacado').click()
      await page.getByRole('menuitem', { name: 'Desconectar' }).click()
      await refuses('Desconectar WhatsApp', 'Desconectar', 'Falha ao desconectar. Tente novamente.')
      await button('Ações de Atacado').click()
      await page.getByRole('menuitem', { name: 'Atualizar' }).click()
      await fails('Falha ao atualizar conexão. Tente novamente.')
      await button('Ações de Atacado').click()
      await page.getByRole('menuitem', { name: 'Excluir' }).click()
      await refuses('Excluir conexão', 'Excluir', 'Falha ao excluir conexão. Tente novamente.')
      await pictures('hard-11-connection-not-deleted')
      await button('Adicionar Conexão').click()
      await page.getByLabel('Nome da conexão').fill('Confeitaria')
      await button('Adicionar').click()
      await fails('Falha ao criar conexão. Tente novamente.')
      await sees('hard-12-connection-not-added')
      await button('Cancelar').click()
      await page.getByRole('heading', { name: 'Atacado' }).waitFor()
    })

    await page.getByRole('link', { name: 'Respostas Rápidas' }).click()
    await whileRefusingEvents(product, ['quickReply'], async () => {
      await page.getByRole('switch', { name: 'Oferecer /pix no bate-papo' }).click()
      await fails('Falha ao atualizar resposta rápida')
      await page.getByRole('switch', { name: 'Oferecer /pix no bate-papo', checked: true }).waitFor()
      await button('Excluir /pix').click()
      await refuses('Excluir /pix', 'Excluir', 'Falha ao excluir resposta rápida')
      await button('Editar /pix').click()
      await page.getByLabel('Conteúdo').fill('Outra chave')
      await button('Salvar').click()
      await fails('Falha ao atualizar resposta rápida')
      await pictures('hard-13-reply-not-saved')
      await button('Cancelar').click()
      await dialog().waitFor({ state: 'detached' })
      await page.getByText('Nossa chave Pix é o CNPJ da padaria').waitFor()
    })
  })

  it('shows the same of sessions, and waits for a QR code', async () => {
    const { page, product, button, dialog, sees, pictures } = on()
    const fails = (notice: string) =>
      page
        .getByRole('region', { name: /^Avisos/ })
        .getByText(notice)
        .waitFor()
    await page.goto(`${product.url}/whatsapp-sessions`)
    await whileRefusingEvents(product, ['connection'], async () => {
      await button('Remover a sessão Atacado').click()
      await dialog('Remover sessão').getByRole('button', { name: 'Remover' }).click()
      await fails('Não foi possível concluir')
      await dialog('Remover sessão').waitFor({ state: 'detached' })
      await button('Fechar aviso').click()
      await button('Adicionar Sessão').click()
      await page.getByLabel('Nome da instância').fill('Confeitaria')
      await button('Adicionar').click()
      await fails('Não foi possível concluir')
      await pictures('hard-14-session-not-added')
      await button('Cancelar').click()
      await dialog().waitFor({ state: 'detached' })
    })
    const codes = await holdReading(page, /\/api\/whatsapp\/qr\//)
    await page.getByRole('listitem').filter({ hasText: 'Atacado' }).getByRole('button', { name: 'QR CODE' }).click()
    await dialog('QR Code de Atacado').getByText('Carregando QR Code...').waitFor()
    await sees('hard-15-qr-code-coming')
    await codes.fail()
    await dialog('QR Code de Atacado').getByText(refusals.unexpected.title).waitFor()
    await pictures('hard-16-qr-code-not-read')
    await codes.letGo()
    await dialog('QR Code de Atacado').getByAltText('QR Code para conectar o WhatsApp').waitFor()
    await button('Fechar').click()
    await dialog().waitFor({ state: 'detached' })
  })
}
