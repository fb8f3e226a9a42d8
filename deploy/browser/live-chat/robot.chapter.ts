import type { FlowDocument, FlowNode } from '@prosa/contracts/flows/flow-document'
import { newFlowSettings, newNode } from '@prosa/contracts/flows/new-node'
import type { Flow } from '@prosa/contracts/http/flows'
import { until } from '@prosa/kernel/testing/until'
import { expect, it } from 'vitest'
import type { OnStage } from './chat-stage.ts'

const at = { x: 0, y: 0 }

const onWord = (word: string, then: FlowNode): FlowDocument => {
  const trigger = newNode('trigger', 'start', at)
  const start = { kind: 'keyword', words: [word], match: 'equals' } as const
  const nodes = [{ ...trigger, data: { ...trigger.data, start } }, then] as FlowDocument['nodes']
  return {
    nodes,
    links: [{ id: 'start then', source: 'start', target: then.id, sourceHandle: null }],
    settings: { ...newFlowSettings, again: 'always' },
  }
}

const asking = (): FlowNode => {
  const node = newNode('question', 'ask', at)
  return { ...node, data: { ...node.data, question: 'Qual sabor?', variable: 'sabor' } } as FlowNode
}

/** Leaves Ana attended, Bruno waiting for a person. */
export const robot = (on: OnStage) => {
  it('shows apart whom a flow leads, with what it wrote, and in no badge', async () => {
    const { page, product, marina, shop, ana, row, button, sees } = on()
    await marina.link(shop, 'Padaria Sol')
    for (const [name, document] of [
      ['Encomenda', onWord('bolo', asking())],
      ['Atendente', onWord('pessoa', newNode('handover', 'bye', at))],
    ] as const) {
      const { id } = await marina.post<Flow>('/api/flows', { name, document })
      await marina.post(`/api/flows/${id}/publish`, { basedOn: 0 })
    }
    await page.goto(`${product.url}/live-chat`)
    await ana.write(shop.number, 'bolo')
    await button('Com o robô (1)').click()
    await row('Ana Souza').getByText('Fluxo: Qual sabor?').waitFor()
    await page.getByRole('tab', { name: 'Aguardando', exact: true }).waitFor()
    expect(await page.title()).toBe('Bate Papo ao vivo · Prosa')
    await sees('robot-01-queue', () => page.getByRole('button', { name: /^Com o robô/ }).waitFor())
    await button('Com o robô (1)').click()
  })

  it('puts first, and announces, who asked for a person', async () => {
    const { page, shop, bruno, clara, row, sees } = on()
    await clara.write(shop.number, 'Oi')
    await row('Clara Dias').waitFor()
    await bruno.write(shop.number, 'pessoa')
    await row('Bruno Lima').getByText('Pediu uma pessoa').waitFor()
    await page.getByText('1 pediu uma pessoa', { exact: true }).waitFor()
    await page.getByText(/^O fluxo transferiu Bruno Lima/).waitFor()
    await until(async () => /Bruno/.test(await page.getByRole('listbox').getByRole('option').first().innerText()))
    expect(await page.title()).toBe('(2, 1 pediu uma pessoa) Bate Papo ao vivo · Prosa')
    await sees('robot-02-asked')
  })

  it('says between the messages that somebody took over, and who spoke before', async () => {
    const { page, row, button, log, sees } = on()
    await page.keyboard.press('4')
    await row('Ana Souza').click()
    await log().getByText('O fluxo “Encomenda” começou').waitFor()
    await button('Aceitar').click()
    await log().getByText('Marina Alves assumiu; o fluxo “Encomenda” parou').waitFor()
    await sees('robot-03-lines', () =>
      log()
        .getByText(/assumiu; o fluxo/)
        .waitFor(),
    )
  })

  it('is paused for one contact, by whom the conversation shows', async () => {
    const { page, button, log, sees } = on()
    await button('Detalhes do contato').click()
    await button('Pausar robô').click()
    await page.getByRole('menuitem', { name: 'Por 4 horas' }).click()
    await page.getByText(/^Pausado até/).waitFor()
    await log().getByText('Marina Alves pausou o robô por 4 horas').waitFor()
    await sees('robot-04-paused', () => page.getByRole('heading', { name: 'Robô' }).scrollIntoViewIfNeeded())
    await button('Retomar robô').click()
    await button('Pausar robô').waitFor()
  })

  it('starts a flow when asked, or says why not', async () => {
    const { page, button, log } = on()
    await button('Começar fluxo').click()
    await page.getByRole('menuitem', { name: 'Encomenda' }).click()
    await page.getByText('Uma pessoa atende este contato', { exact: false }).waitFor()
    await button('Finalizar').click()
    await button('Reabrir').waitFor()
    await button('Começar fluxo').click()
    await page.getByRole('menuitem', { name: 'Encomenda' }).click()
    await log().getByText('Marina Alves começou o fluxo “Encomenda”').waitFor()
    await log().getByText('Qual sabor?').last().waitFor()
  })
}
