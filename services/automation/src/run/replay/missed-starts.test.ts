import { randomUUID } from 'node:crypto'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import type { FlowReplayPart } from '@prosa/contracts/http/flow-runs'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asks, begins, nodeOf, rowOf, says } from '../testing/flow-of.ts'
import { type TestAutomation, testAutomation } from '../testing/test-automation.ts'

let service: TestAutomation
beforeAll(async () => {
  service = await testAutomation()
})
afterAll(() => service?.stop())

type Shop = Awaited<ReturnType<TestAutomation['shop']>>

const onWord = (...words: string[]) =>
  nodeOf('start', 'trigger', { start: { kind: 'keyword', words, match: 'contains' } })

/** A flow that was never published. */
const draftOf = async (shop: Shop, document: FlowDocument) => {
  const flowId = randomUUID()
  const data = { name: 'Rascunho', folderId: null, document, origin: 'new' } as const
  await shop.record(`flow-${flowId}`, { type: 'FlowCreated', data })
  return flowId
}

const replayed = async (shop: Shop, flowId: string, document: FlowDocument, contacts: number) => {
  const ask = async () => (await shop.ask(`/api/flows/${flowId}/replay`, { document })).json<FlowReplayPart>()
  await until(async () => (await ask()).total === contacts)
  return ask()
}

const textsOf = ({ differences }: FlowReplayPart) =>
  differences.map(({ after }) => after.flatMap((step) => ('text' in step ? step.text : [])))

describe('a draft that was never published', () => {
  it('is played over every conversation, from the message that it would have begun with', async () => {
    const shop = await service.shop()
    const document = rowOf([begins, asks('sabor', 'Que sabor?'), says('ok', '{nome}, {sabor}!')])
    const flowId = await draftOf(shop, document)
    const [ana, bia] = [await shop.contact(), await shop.contact('Bia Reis')]
    await ana.writes('Oi')
    await ana.writes('Nozes')
    await bia.writes('Bom dia')
    const before = (await everythingIn(service.ports.store, 'flowRun', 'chat')).length
    const found = await replayed(shop, flowId, document, 2)
    expect(found).toMatchObject({
      conversations: 2,
      runs: 2,
      same: 0,
      different: 2,
      begun: 2,
      isCut: false,
      next: null,
    })
    expect(textsOf(found).toSorted((one, other) => one.length - other.length)).toEqual([
      ['Que sabor?'],
      ['Que sabor?', 'Nozes', 'Ana, Nozes!'],
    ])
    expect(found.differences).toMatchObject([
      { before: [], other: null },
      { before: [], other: null },
    ])
    expect(await everythingIn(service.ports.store, 'flowRun', 'chat')).toHaveLength(before)
  })

  it('begins nothing while somebody attends, after an outage, without its word, or again when it may not', async () => {
    const shop = await service.shop()
    const document = rowOf([onWord('oi'), says('ok', 'Olá!')], { again: 'never' })
    const flowId = await draftOf(shop, document)
    const [attended, late, other, twice] = [
      ...[await shop.contact(), await shop.contact(), await shop.contact(), await shop.contact('Duas Vezes')],
    ]
    await shop.record(`contact-${attended?.id}`, { type: 'ConversationAccepted', data: { attendantId: shop.tenant } })
    await attended?.writes('oi')
    await late?.writes('oi', new Date(Date.now() - 11 * 60_000).toISOString())
    await other?.writes('bom dia')
    await twice?.writes('oi')
    await twice?.writes('oi')
    const found = await replayed(shop, flowId, document, 4)
    expect(found).toMatchObject({ conversations: 4, begun: 1 })
    expect(found.differences).toMatchObject([{ contactName: 'Duas Vezes' }])
  })

  it('takes the place of another flow only where its trigger comes first', async () => {
    const shop = await service.shop()
    const general = await shop.flow(rowOf([begins, says('ok', 'Já respondemos.')]))
    const document = rowOf([onWord('preço'), says('ok', 'Custa 10.')])
    const flowId = await draftOf(shop, document)
    const [ana, bia] = [await shop.contact(), await shop.contact('Bia')]
    await ana.writes('Qual o preço?')
    await bia.writes('Oi')
    await until(async () => (await ana.ends()).length + (await bia.ends()).length === 2)
    const found = await replayed(shop, flowId, document, 2)
    expect(found.differences).toMatchObject([{ contactId: ana.id, other: general }])
    expect(textsOf(found)).toEqual([['Custa 10.']])
    const later = rowOf([begins, says('ok', 'Eu também.')])
    expect(await replayed(shop, flowId, later, 2)).toMatchObject({ begun: 0, differences: [] })
  })

  it('that hands over begins no more until a person finished the conversation', async () => {
    const shop = await service.shop()
    const document = rowOf([begins, nodeOf('person', 'handover', { message: 'Já chamo alguém.' })])
    const flowId = await draftOf(shop, document)
    const ana = await shop.contact()
    await ana.writes('Oi')
    await ana.writes('Alô?')
    expect(await replayed(shop, flowId, document, 1)).toMatchObject({ begun: 1 })
    await shop.record(`contact-${ana.id}`, { type: 'ConversationResolved', data: { attendantId: shop.tenant } })
    await shop.record(`contact-${ana.id}`, { type: 'ConversationReopened', data: {} })
    await ana.writes('Outra coisa')
    expect(await replayed(shop, flowId, document, 1)).toMatchObject({ begun: 2 })
  })

  it('begins with a label that a person put on', async () => {
    const shop = await service.shop()
    const labelId = randomUUID()
    const start = nodeOf('start', 'trigger', { start: { kind: 'label_set', labelId } })
    const document = rowOf([start, says('ok', 'Bem-vinda ao clube!')])
    const flowId = await draftOf(shop, document)
    const ana = await shop.contact()
    await ana.writes('Oi')
    await shop.record(`contact-${ana.id}`, { type: 'ContactLabelled', data: { labelId } })
    const found = await replayed(shop, flowId, document, 1)
    expect(textsOf(found)).toEqual([['Bem-vinda ao clube!']])
  })
})

it('a published flow whose draft has a wider trigger would have begun besides, and its own runs stay', async () => {
  const shop = await service.shop()
  const flowId = await shop.flow(rowOf([onWord('oi'), says('ok', 'Olá!')]))
  const [ana, bia] = [await shop.contact(), await shop.contact('Bia')]
  await ana.writes('oi')
  await bia.writes('bom dia')
  await until(async () => (await ana.ends()).length === 1)
  const wider = rowOf([onWord('oi', 'bom dia'), says('ok', 'Olá!')])
  const found = await replayed(shop, flowId, wider, 2)
  expect(found).toMatchObject({ conversations: 2, runs: 2, same: 1, different: 1, begun: 1 })
  expect(found.differences).toMatchObject([{ contactId: bia.id, other: null }])
})

it('of other days are neither runs nor conversations', async () => {
  const shop = await service.shop()
  const document = rowOf([begins, says('ok', 'Olá!')])
  const flowId = await shop.flow(document)
  const ana = await shop.contact()
  await ana.writes('oi')
  await until(async () => (await ana.ends()).length === 1)
  await replayed(shop, flowId, document, 1)
  const body = { document, from: '2026-01-01', to: '2026-01-31' }
  const found = (await shop.ask(`/api/flows/${flowId}/replay`, body)).json<FlowReplayPart>()
  expect(found).toMatchObject({ total: 1, conversations: 0, runs: 0 })
  const refused = await shop.ask(`/api/flows/${flowId}/replay`, { ...body, to: '2026-03-01' })
  expect(refused.json().errors).toEqual([{ field: 'to', message: 'O período pode ter no máximo 31 dias.' }])
})
