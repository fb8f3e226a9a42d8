import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { newFlowSettings, newNode } from '@prosa/contracts/flows/new-node'
import type { Flow } from '@prosa/contracts/http/flows'
import { beginning } from '@prosa/kernel/event-store/port'
import { until } from '@prosa/kernel/testing/until'
import { expect, it } from 'vitest'
import type { Visitor } from '../../test/visitor.ts'
import { sayWhy } from '../say-why.ts'
import { addPhone } from '../simulated-phone.ts'
import type { OnStage } from './office.ts'

const word = 'cardápio'
/** Phishing form: the part before '@' is not the host. */
const target = `https://banco.example@promocao-imperdivel.example/cardapio?mesa=${'12345'.repeat(20)}`

const settings = { ...newFlowSettings, again: 'always' as const }

const flowWithLink = (): FlowDocument => {
  const at = { x: 0, y: 0 }
  const [trigger, message] = [newNode('trigger', 'start', at), newNode('message', 'says', at)]
  const start = { kind: 'keyword' as const, words: [word], match: 'equals' as const }
  const nodes = [
    { ...trigger, data: { ...trigger.data, start } },
    { ...message, data: { ...message.data, message: `Veja em ${target}` } },
  ] as FlowDocument['nodes']
  return { nodes, links: [{ id: 'link', source: 'start', target: 'says', sourceHandle: null }], settings }
}

export const flowLinks = (on: OnStage) => {
  let rita: Visitor
  let flowId: string
  let address: string
  const section = () => on().page.getByRole('region', { name: 'Links de fluxos' })
  const toSection = () => section().evaluate((element) => element.scrollIntoView())
  const open = async (name: string, words: RegExp) => {
    const { page, sees } = on()
    await page.goto(address)
    await page.getByRole('heading', { name: words }).waitFor()
    await sees(name)
  }
  const find = async () => {
    const { page, product } = on()
    await page.goto(`${product.url}/admin?aba=manutencao`)
    await section().getByLabel('Endereço do link').fill(address)
    await section().getByRole('button', { name: 'Procurar' }).click()
    await section().getByText('Situação').waitFor()
  }

  it('names the target of a link of an account in its trial before somebody goes there', async () => {
    const { product } = on()
    rita = await product.visitor().register()
    const [shop, ana] = [
      await addPhone(product.url, 'Padaria da Rita', '11900000031'),
      await addPhone(product.url, 'Ana Souza', '11988770031'),
    ]
    await rita.link(shop, 'Balcão')
    const flow = await rita.post<Flow>('/api/flows', { name: 'Cardápio', document: flowWithLink() })
    flowId = flow.id
    await rita.post(`/api/flows/${flowId}/publish`, { basedOn: 0 })
    await ana.write(shop.number, word)
    const { store, codec } = product.ports
    const token = await until(async () => {
      for await (const { events } of store.readAll(beginning, { categories: ['flowRun'] }))
        for (const event of await codec.decode(events))
          if (event.type === 'FlowMessageRequested') return event.data.links[0]?.token
      return undefined
    })
    address = `${product.url}/r/${token}`
    await until(async () => (await fetch(address, { redirect: 'manual' })).status === 200)
    await open('link-01-named', /promocao-imperdivel\.example/)
    await on().sees('link-01-named-dark', () => on().page.emulateMedia({ colorScheme: 'dark' }))
    await on().page.emulateMedia({ colorScheme: null })
  })

  it('finds a link that somebody complained of, and blocks it with a reason', async () => {
    const { page, product, dialog, sees } = on()
    await page.goto(`${product.url}/admin?aba=manutencao`)
    await section().getByLabel('Endereço do link').fill('padaria')
    await section().getByRole('button', { name: 'Procurar' }).click()
    await section().getByText('Cole o endereço inteiro').waitFor()
    await sees('link-02-no-address', toSection)
    await section()
      .getByLabel('Endereço do link')
      .fill(`${product.url}/r/${'A'.repeat(20)}`)
    await section().getByRole('button', { name: 'Procurar' }).click()
    await section().getByRole('alert').last().waitFor()
    await sees('link-03-not-found', toSection)
    await find()
    await sees('link-04-open', toSection)
    await section().getByRole('button', { name: 'Bloquear' }).click()
    await dialog('Bloquear este link?').getByLabel('Motivo').fill('Imita a página de um banco')
    await sees('link-05-blocking')
    await dialog().getByRole('button', { name: 'Bloquear' }).click()
    await section().getByText('Bloqueado').waitFor()
    await sees('link-06-blocked', toSection)
    await open('link-07-blocked-page', /bloqueado/)
    expect((await fetch(address)).status).toBe(410)
  })

  it('opens it again, until its flow is deleted', async () => {
    const { page, dialog, sees } = on()
    await find()
    await section().getByRole('button', { name: 'Desbloquear' }).click()
    await dialog('Desbloquear este link?').getByLabel('Motivo').fill('Era o cardápio mesmo')
    await sees('link-08-unblocking')
    await dialog().getByRole('button', { name: 'Desbloquear' }).click()
    await section().getByText('Aberto').waitFor()
    await rita.ask('DELETE', `/api/flows/${flowId}`)
    await open('link-09-ended-page', /não vale mais/)
    await find()
    await section().getByText('Terminou com o fluxo').waitFor()
    await sees('link-10-ended', toSection)
    await section().getByRole('button', { name: 'Ver histórico' }).click()
    await sayWhy(on())
    await page.getByText('Motivo: Imita a página de um banco').waitFor()
    await sees('link-11-history')
    await page.keyboard.press('Escape')
  })
}
