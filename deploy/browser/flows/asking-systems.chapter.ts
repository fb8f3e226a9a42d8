import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Flow } from '@prosa/contracts/http/flows'
import { until } from '@prosa/kernel/testing/until'
import { expect, it } from 'vitest'
import { signIn } from '../sign-in.ts'
import { openWindow } from '../stage.ts'
import type { Bakery } from './bakery-menu.chapter.ts'

const secret = 'sk-padaria-sol-2026'
const answer = 'Dois bolos de nozes custam R$ 2.081,00.'

/** Knows what a cake costs, for who has the key. */
const priceServer = async () => {
  const asked: { url: string; authorization: string; key: string }[] = []
  const server = createServer((request, response) => {
    const { authorization = '', 'idempotency-key': key = '' } = request.headers
    asked.push({ url: request.url ?? '', authorization, key: String(key) })
    const isAllowed = authorization === `Bearer ${secret}`
    response.writeHead(isAllowed ? 200 : 401, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isAllowed ? { bolo: { sabor: 'nozes', preco: 1040.5 }, chave: authorization } : {}))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    asked,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/bolos`,
    close: () => server.close(),
  }
}

/** A request is built, tried and published by screen; the customer receives what the other system knows. */
export const askingSystems = (bakery: () => Bakery) => {
  it('a flow asks another system, whose secret no screen shows again, and calculates with its reply', async () => {
    const { stage, marina, shop, ana } = bakery()
    const { page } = stage
    const prices = await priceServer()
    const { id } = await marina.post<Flow>('/api/flows', { name: 'Preço do bolo' })
    await page.goto(`${stage.product.url}/flow-editor/${id}`)
    const panel = page
      .getByRole('complementary', { name: 'Propriedades' })
      .or(page.getByRole('dialog', { name: 'Propriedades' }))
    const add = (type: string) =>
      page
        .getByRole('complementary', { name: 'Elementos e ações' })
        .getByRole('button', { name: type, exact: true })
        .click()
    const step = (text: string) => page.locator('[data-step]').filter({ hasText: text }).first()
    await step('Recebemos a sua mensagem').click()
    await panel.getByLabel('Mensagem', { exact: true }).fill('Vou ver o preço.')
    await add('Requisição HTTP')
    await panel.getByLabel('Título').fill('Preço do bolo')
    await panel.getByLabel('Endereço').fill(`${prices.url}?quem={nome}`)
    await panel.getByRole('button', { name: 'Novo segredo' }).click()
    await panel.getByLabel('Nome do segredo').fill('chave')
    await panel.getByLabel('Valor do segredo', { exact: true }).fill(secret)
    await panel.getByRole('button', { name: 'Guardar segredo' }).click()
    await panel.getByText('{{segredo:chave}}', { exact: true }).waitFor()
    await panel.getByRole('button', { name: 'Adicionar cabeçalho' }).click()
    await panel.getByLabel('Cabeçalho 1', { exact: true }).fill('Authorization')
    await panel.getByLabel('Valor 1', { exact: true }).fill('Bearer {{segredo:chave}}')
    for (const [at, [path, variable]] of [
      ['bolo.preco', 'preco'],
      ['bolo.sabor', 'sabor'],
    ].entries()) {
      await panel.getByRole('button', { name: 'Guardar um valor da resposta' }).click()
      await panel.getByLabel(`Caminho ${at + 1}`).fill(path ?? '')
      await panel.getByLabel(`Variável ${at + 1}`).fill(variable ?? '')
    }
    await stage.pictures('flows-request-fields', () => panel.getByLabel('Título').scrollIntoViewIfNeeded())
    const send = async () => {
      await panel.getByRole('button', { name: 'Enviar agora' }).click()
      await panel.getByText(/^Deu certo: 200, em/).waitFor()
      await panel.getByLabel('Resposta', { exact: true }).scrollIntoViewIfNeeded()
    }
    await send()
    await panel.getByLabel('Valores da resposta').getByText('1.040,5').waitFor()
    expect(await panel.getByLabel('Resposta', { exact: true }).textContent()).toContain('Bearer •••')
    await stage.pictures('flows-request-tested', send)
    const tested = prices.asked.length
    await add('Cálculo')
    await panel.getByLabel('Conta', { exact: true }).fill('{preco} × 2')
    await panel.getByLabel('Guardar o resultado em').fill('total')
    await stage.pictures('flows-calculation')
    await add('Mensagem')
    await panel.getByLabel('Mensagem', { exact: true }).fill('Dois bolos de {sabor} custam R$ {total}.')
    await page.keyboard.press('Escape')
    await stage.button('Testar').click()
    await page.getByLabel('Mensagem do contato').fill('oi')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Deu certo', exact: true }).click()
    await page.getByRole('log', { name: 'Conversa de teste' }).getByText(answer).waitFor()
    await stage.pictures('flows-request-tryout')
    await stage.button('Testar').click()
    await stage.pictures('flows-request-canvas')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('dialog', { name: 'Publicar a versão 1' }).waitFor()
    await stage.button('Publicar agora').click()
    await page.getByText('Fluxo publicado').waitFor()
    const before = (await ana.messages(shop.number)).length
    await ana.write(shop.number, 'quanto é o bolo?')
    await until(async () =>
      (await ana.messages(shop.number)).slice(before).some((message) => message.text?.includes(answer)),
    )
    expect(prices.asked.slice(tested)).toMatchObject([{ url: '/bolos?quem=Ana', authorization: `Bearer ${secret}` }])
    expect(new Set(prices.asked.map(({ key }) => key)).size).toBe(prices.asked.length)
    prices.close()
    await stage.button('Execuções').click()
    await stage.dialog().getByText('Ana Souza').first().click()
    await stage.dialog().getByText('Calculou “2.081,00”, guardado em “total”.').waitFor()
    await stage.pictures('flows-request-run')
    await page.keyboard.press('Escape')
    const phone = await openWindow(stage, { phone: true })
    await signIn(phone.page, marina)
    await phone.page.goto(`${stage.product.url}/flow-editor/${id}`)
    await phone.page.locator('[data-step]').filter({ hasText: 'Preço do bolo' }).first().click()
    await phone.page
      .getByRole('dialog', { name: 'Propriedades' })
      .getByText('{{segredo:chave}}', { exact: true })
      .waitFor()
    expect(await phone.page.content()).not.toContain(secret)
    await phone.pictures('flows-request-phone')
    await phone.close()
    await marina.ask('PUT', `/api/flows/${id}/on`, { isOn: false })
  })
}
