import { randomUUID } from 'node:crypto'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { newFlowSettings, newNode } from '@prosa/contracts/flows/new-node'
import type { OrderedFlow } from '@prosa/contracts/http/automation/flow-order'
import type { FlowStatistics } from '@prosa/contracts/http/flow-runs'
import type { Flow } from '@prosa/contracts/http/flows'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Visitor } from '../test/visitor.ts'
import { noChromium } from './chromium.ts'
import { askingSystems } from './flows/asking-systems.chapter.ts'
import { bakeryMenu } from './flows/bakery-menu.chapter.ts'
import { isLongWalk } from './long-walk.ts'
import { signIn } from './sign-in.ts'
import { addPhone, type SimulatedPerson } from './simulated-phone.ts'
import { openStage, type Stage } from './stage.ts'

const name = 'Boas-vindas da padaria'

/** Refers to records that the tenant does not have, as an import may. */
const flowOfAnotherAccount = (): FlowDocument => {
  const at = (y: number) => ({ x: 90, y })
  const [label, message, flow] = [
    newNode('label', 'label', at(270)),
    newNode('message', 'says', at(450)),
    newNode('flow', 'flow', at(630)),
  ]
  const file = { id: randomUUID(), mediaType: 'application/pdf', bytes: 1000, source: null }
  const attached = { kind: 'document', fileName: 'cardapio-de-inverno-2026.pdf', file }
  const nodes = [
    newNode('trigger', 'start', at(90)),
    { ...label, data: { ...label.data, labelId: randomUUID() } },
    { ...message, data: { ...message.data, file: attached } },
    { ...flow, data: { flowId: randomUUID() } },
  ] as FlowDocument['nodes']
  const links = nodes.slice(1).map(({ id }, index) => {
    const source = nodes[index]?.id ?? ''
    return { id: `${source} ${id}`, source, target: id, sourceHandle: null }
  })
  return { nodes, links, settings: { ...newFlowSettings, connectionIds: [randomUUID()] } }
}

/** In `npm test` the tests of `services/automation` and `web/src/features/flow-editor` cover this. */
describe.skipIf(noChromium || !isLongWalk)(`flows${noChromium}`, { timeout: 180_000 }, () => {
  let stage: Stage
  let marina: Visitor
  let shop: SimulatedPerson
  let ana: SimulatedPerson
  let flowId: string
  beforeAll(async () => {
    stage = await openStage()
    const { product, page } = stage
    marina = await product.visitor().register()
    await signIn(page, marina)
    shop = await addPhone(product.url, 'Padaria Sol', '11900000001')
    ana = await addPhone(product.url, 'Ana Souza', '11988776655')
    await marina.link(shop, 'Padaria')
  }, 120_000)
  afterAll(() => stage?.close())

  const panel = () => stage.page.getByRole('complementary', { name: /^Propriedades/ })
  const canvasStep = (text: string | RegExp) => stage.page.locator('.flow-step').filter({ hasText: text })
  const isSaved = () => stage.page.getByRole('status').filter({ hasText: 'Salvo às' }).waitFor()
  const add = (type: string) =>
    stage.page.getByRole('complementary', { name: 'Elementos e ações' }).getByRole('button', { name: type }).click()
  const listView = async (act: () => Promise<unknown>) => {
    await stage.button('Lista').click()
    await act()
    await stage.button('Desenho').click()
  }

  it('lists the folders and flows that every account begins with', async () => {
    const { page, product } = stage
    await page.goto(`${product.url}/conversation-flows`)
    for (const folder of ['Atendimento Básico', 'Vendas', 'Pós-vendas']) await page.getByText(folder).first().waitFor()
    await stage.sees('flows-folders')
    await page.getByRole('tab', { name: 'Fluxos (10)' }).click()
    await stage.sees('flows-list')
  })

  it('draws a welcome with a question and a condition', async () => {
    const { page } = stage
    await stage.button('Adicionar').click()
    const dialog = stage.dialog('Criar Novo Fluxo')
    await dialog.getByLabel('Nome').fill(name)
    await dialog.getByRole('button', { name: 'Criar Fluxo' }).click()
    await page.getByRole('tab', { name: 'Fluxos (11)' }).waitFor()
    await page.getByRole('link', { name, exact: true }).first().click()
    await page.getByRole('heading', { name: 'Editor de Fluxo' }).waitFor()
    flowId = page.url().split('/').at(-1) ?? ''

    await canvasStep('Recebemos a sua mensagem').first().click()
    await panel().getByLabel('Mensagem', { exact: true }).fill('Olá, {nome}! Aqui é a Padaria Sol.')
    await add('Pergunta')
    await panel().getByLabel('Pergunta', { exact: true }).fill('Quer fazer uma encomenda?')
    await panel().getByLabel('Guardar a resposta em').fill('encomenda')
    await add('Condição')
    await stage.sees('flows-editor-condition')
    await add('Mensagem')
    await panel().getByLabel('Mensagem', { exact: true }).fill('Ótimo! Conte o que você quer e para quando.')
    await canvasStep('Condição').click()
    await add('Mensagem')
    await panel().getByLabel('Mensagem', { exact: true }).fill('Tudo bem. Abrimos das 7h às 19h.')
    await page.keyboard.press('Escape')
    await isSaved()
    await stage.sees('flows-editor')
    await listView(() => stage.sees('flows-editor-list'))
  })

  it('has settings, among them when it starts again', async () => {
    const { page } = stage
    const open = async () => {
      if (await stage.dialog('Configurações').isVisible()) return
      const elements = page.getByRole('complementary', { name: 'Elementos e ações' })
      const own = elements.getByRole('button', { name: 'Configurações' })
      if (await own.isVisible()) return own.click()
      await elements.getByRole('button', { name: 'Ações' }).click()
      await page.getByRole('menuitem', { name: 'Configurações' }).click()
    }
    await open()
    const settings = stage.dialog('Configurações')
    await settings.getByLabel('Padaria').waitFor()
    expect(await settings.getByLabel('Horas depois de terminar').inputValue()).toBe('24')
    await settings.getByLabel('Horas sem resposta até terminar').fill('0')
    await settings.getByRole('button', { name: 'Salvar' }).click()
    await settings.getByText('De 1 a 720 horas.').waitFor()
    await stage.sees('flows-settings', open)
    await settings.getByRole('button', { name: 'Cancelar' }).click()
    await settings.waitFor({ state: 'detached' })
  })

  it('tries it out beside the canvas, where nothing is sent', async () => {
    const { page } = stage
    await stage.button('Testar').click()
    const log = page.getByRole('log', { name: 'Conversa de teste' })
    const box = page.getByLabel('Mensagem do contato')
    await box.fill('oi')
    await box.press('Enter')
    await log.getByText('Olá, Ana! Aqui é a Padaria Sol.').waitFor()
    await log.getByText('Quer fazer uma encomenda?').waitFor()
    await page.locator('.flow-step-current').getByText('Pergunta').waitFor()
    await box.fill('claro')
    await box.press('Enter')
    await log.getByText('Ótimo! Conte o que você quer e para quando.').waitFor()
    await stage.sees('flows-tryout')
    await stage
      .button(/^Fechar/)
      .first()
      .click()
    expect(await marina.contacts('waiting')).toEqual([])
  })

  it('publishes it, and answers a person who writes', async () => {
    const { page } = stage
    await stage.button('Publicar').click()
    await stage.dialog('Publicar a versão 1').getByText('Nada a corrigir.').waitFor()
    await stage.sees('flows-publishing')
    await stage.button('Publicar agora').click()
    await page.getByText('Ativo').first().waitFor()
    await ana.write(shop.number, 'bom dia')
    await ana.received(shop.number, ({ text }) => text === 'Olá, Ana! Aqui é a Padaria Sol.')
    await ana.received(shop.number, ({ text }) => text === 'Quer fazer uma encomenda?')
    await ana.write(shop.number, 'Sim, por favor')
    await ana.received(shop.number, ({ text }) => text === 'Ótimo! Conte o que você quer e para quando.')
    await until(async () => {
      const found = await marina.get<FlowStatistics>(`/api/flows/${flowId}/statistics`)
      return found.executions === 1 && found.nodes.some(({ delivered }) => delivered > 0)
    })
  })

  it('shows the numbers, and each run with its reasons', async () => {
    const { page } = stage
    await page.reload()
    await canvasStep('Padaria Sol').click()
    await panel()
      .getByText(/enviad/i)
      .first()
      .waitFor()
    await stage.sees('flows-statistics')
    await page.keyboard.press('Escape')
    await stage.button('Execuções').click()
    await stage.dialog().getByText('Ana Souza').first().click()
    await stage.sees('flows-run')
    await page.keyboard.press('Escape')
  })

  it('compares versions and goes back to one', async () => {
    const { page } = stage
    await page.reload()
    await canvasStep('Padaria Sol').click()
    await panel().getByLabel('Mensagem', { exact: true }).fill('Oi, {nome}!')
    await page.keyboard.press('Escape')
    await isSaved()
    await stage.button('Publicar').click()
    await stage.button('Publicar agora').click()
    const flows = () => marina.get<Flow[]>('/api/flows')
    await until(async () => (await flows()).find(({ id }) => id === flowId)?.version === 2)
    await stage.button('Versões').click()
    await stage.dialog().getByText('Versão 1', { exact: false }).first().waitFor()
    await stage.sees('flows-versions')
    await stage
      .dialog()
      .getByRole('button', { name: /^Restaurar/ })
      .last()
      .click()
    await stage
      .dialog()
      .getByRole('button', { name: /^Restaurar/ })
      .last()
      .click()
    await canvasStep('Padaria Sol').waitFor()
  })

  it('plays the draft over the conversations of the days chosen', async () => {
    const { page } = stage
    await canvasStep('Padaria Sol').click()
    await panel().getByLabel('Mensagem', { exact: true }).fill('Boa, {nome}!')
    await page.keyboard.press('Escape')
    await isSaved()
    await stage.button('Execuções').click()
    await page.getByRole('tab', { name: 'Reprise' }).click()
    await stage.dialog().getByRole('button', { name: 'Repassar as conversas' }).click()
    await stage.dialog().getByText('Boa, Ana!').first().waitFor()
    await stage.sees('flows-replay')
    await page.keyboard.press('Escape')
  })

  it('is not published while it names what the account does not have', async () => {
    const { page, product } = stage
    const { id } = await marina.post<Flow>('/api/flows', {
      name: 'Cardápio de inverno',
      document: flowOfAnotherAccount(),
    })
    await page.goto(`${product.url}/flow-editor/${id}`)
    await page.getByRole('heading', { name: 'Editor de Fluxo' }).waitFor()
    await stage.button('Publicar').click()
    const refused = stage.dialog('Este fluxo tem erros')
    for (const words of ['Uma conexão escolhida', 'Esta etiqueta', 'O fluxo seguinte', 'cardapio-de-inverno-2026.pdf'])
      await refused.getByText(words).first().waitFor()
    await stage.sees('flows-not-published')
    await refused.getByRole('button', { name: 'Cancelar' }).click()
    await refused.waitFor({ state: 'detached' })
    await stage.sees('flows-with-errors')
  })

  it('stands in the chat as the flow’s, and on the dashboard', async () => {
    const { page, product } = stage
    await page.goto(`${product.url}/live-chat`)
    await page.getByRole('option', { name: 'Ana Souza' }).click()
    await page.getByText('Ótimo! Conte o que você quer e para quando.').first().waitFor()
    await stage.sees('flows-chat')
    await page.goto(product.url)
    await page.getByText(name).first().waitFor()
    await stage.sees('flows-dashboard')
    await page.goto(`${product.url}/settings?secao=fluxo-padrao`)
    await page.getByRole('heading', { name: 'Fluxo padrão' }).first().waitFor()
    await stage.sees('flows-default')
  })

  it('is turned off', async () => {
    expect((await marina.ask('PUT', `/api/flows/${flowId}/on`, { isOn: false })).status).toBe(200)
  })
  bakeryMenu(() => ({ stage, marina, shop, ana }), ['the mouse', 'keys', 'a phone of 390 px'])
  askingSystems(() => ({ stage, marina, shop, ana }))

  it('shows who would answer a message and why, and orders flows by dragging', async () => {
    const { page, product } = stage
    expect((await marina.ask('PUT', `/api/flows/${flowId}/on`, { isOn: true })).status).toBe(200)
    await page.goto(`${product.url}/conversation-flows?aba=quem-responde`)
    await page.getByLabel('O que o contato escreve').fill('bom dia')
    await stage.button('Ver quem responde').click()
    await page.getByText(`Responde o fluxo “${name}”.`).waitFor()
    const order = () => marina.get<OrderedFlow[]>('/api/flow-order')
    const before = (await order()).map((each) => each.flowId)
    const handles = page.getByRole('button', { name: /^Mover / })
    const middleOf = async (at: number) => {
      await handles.nth(at).scrollIntoViewIfNeeded()
      const { x = 0, y = 0, width = 0, height = 0 } = (await handles.nth(at).boundingBox()) ?? {}
      return [x + width / 2, y + height / 2] as const
    }
    await page.mouse.move(...(await middleOf(0)))
    await page.mouse.down()
    await page.mouse.move(...(await middleOf(1)), { steps: 8 })
    await page.mouse.up()
    const moved = [before[1], before[0], ...before.slice(2)]
    await until(async () => JSON.stringify((await order()).map((each) => each.flowId)) === JSON.stringify(moved))
    await stage.sees('flows-who-answers')
  })
})
