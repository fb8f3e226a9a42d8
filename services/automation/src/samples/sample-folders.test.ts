import { flowDocument } from '@prosa/contracts/flows/flow-document'
import { gapsIn, sentTexts } from '@prosa/contracts/flows/flow-texts'
import { describe, expect, it } from 'vitest'
import { flowProblems } from '../flow-problems.ts'
import { sampleFolders } from './sample-folders.ts'

const ana = 'c2b4a1de-91c4-4f0e-8a53-6f0a2f1b7d33'
const all = sampleFolders(ana).flatMap(({ contents }) => contents)

describe('the samples', () => {
  it('are three folders with three, five and two flows', () => {
    expect(sampleFolders(ana).map(({ name, contents }) => [name, contents.length])).toEqual([
      ['Atendimento Básico', 3],
      ['Vendas', 5],
      ['Pós-vendas', 2],
    ])
  })
  it.each(all)('have nothing wrong: $name', ({ document }) => {
    expect(flowDocument.parse(document)).toEqual(document)
    expect(flowProblems(document).filter(({ kind }) => kind !== 'gap')).toEqual([])
  })
  it('leave a gap where only the business knows the fact', () => {
    const gaps = all.flatMap(({ name, document }) =>
      document.nodes
        .flatMap(sentTexts)
        .flatMap(gapsIn)
        .map((gap) => `${name}: ${gap}`),
    )
    expect(gaps).toEqual([
      'Perguntas frequentes: [seu endereço]',
      'Perguntas frequentes: [seus prazos de entrega]',
      'Perguntas frequentes: [seus horários]',
      'Pedido de orçamento: [seu desconto]',
      'Envio do catálogo: [link do seu catálogo]',
      'Lembrete de pagamento: [sua chave Pix]',
      'Agradecimento pela compra: [seu cupom]',
      'Agradecimento pela compra: [seu desconto]',
    ])
  })
  it('have the same ids each time, and others in each account', () => {
    const idsOf = (tenant: string) =>
      sampleFolders(tenant).flatMap(({ id, contents }) => [id, ...contents.map((f) => f.id)])
    expect(idsOf(ana)).toEqual(idsOf(ana))
    expect(new Set([...idsOf(ana), ...idsOf('7c0c5a0e-5f5e-4a53-9a37-3f4f1c1f0a11')]).size).toBe(26)
  })
  it('differ in what starts them', () => {
    const startsOf = all.map(({ document: { nodes } }) =>
      JSON.stringify(nodes.flatMap((node) => (node.type === 'trigger' ? node.data.start : []))),
    )
    expect(new Set(startsOf).size).toBe(10)
  })
})
