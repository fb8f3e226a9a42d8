import { expect, it } from 'vitest'
import { lineOf } from '../live-chat/line.ts'
import { holdReading } from '../reading-fails.ts'
import type { OnStage } from './settings-stage.ts'

const longName = 'Confeitaria Nossa Senhora do Perpétuo Socorro, loja central'

/** Lists that do not come, that are long, and that hold long words. Leaves three sessions and nine quick replies. */
export const hardCases = (on: OnStage) => {
  it('shows the shape of what comes, and says what cannot be read and how to go on', async () => {
    const { page, product, button, sees, pictures } = on()
    const places = [
      { path: '/settings', api: /\/api\/whatsapp\/connections$/, says: 'As conexões não puderam ser lidas' },
      { path: '/whatsapp-sessions', api: /\/api\/whatsapp\/sessions$/, says: 'As sessões não puderam ser lidas' },
      {
        path: '/settings?secao=respostas-rapidas',
        api: /\/api\/quick-replies$/,
        says: 'As respostas rápidas não puderam ser lidas',
      },
    ]
    // What is pushed would be there without being read.
    const line = await lineOf(page)
    await line.cut()
    for (const [index, { path, api, says }] of places.entries()) {
      const reading = await holdReading(page, api)
      await page.goto(product.url + path)
      await page.getByRole('status', { name: 'Carregando...' }).first().waitFor()
      await pictures(`hard-0${index + 1}-loading`)
      await reading.fail()
      await page.getByText(says).waitFor()
      await (index === 0 ? sees : pictures)(`hard-0${index + 4}-not-read`)
      await reading.letGo()
    }
    await line.mend()
    // Nothing reads these again by itself.
    await button('Tentar de novo').click()
    await page.getByRole('heading', { name: '/pix' }).waitFor()
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
}
