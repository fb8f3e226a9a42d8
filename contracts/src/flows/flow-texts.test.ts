import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkFlow } from './check-flow.ts'
import type { FlowDocument, FlowNode, FlowStart } from './flow-document.ts'
import { gapsIn } from './flow-texts.ts'
import { newFlowSettings, newNode, starterFlow } from './new-node.ts'

const at = { x: 0, y: 0 }
const flowSaying = (text: string, start: FlowStart = { kind: 'any_message' }): FlowDocument => {
  const [trigger, message] = [newNode('trigger', 't', at), newNode('message', 'm', at)]
  const nodes = [
    { ...trigger, data: { ...trigger.data, start } },
    { ...message, data: { ...message.data, message: text } },
  ] as FlowNode[]
  return {
    nodes,
    links: [{ id: 't m', source: 't', target: 'm', sourceHandle: null }],
    settings: newFlowSettings,
  }
}
const found = (document: FlowDocument) => checkFlow(document).map(({ kind, severity }) => `${severity} ${kind}`)

describe('a gap that a sample leaves', () => {
  it.each([
    ['Nossa chave é [sua chave Pix].', ['[sua chave Pix]']],
    ['[Seu endereço], e [link do seu catálogo]', ['[Seu endereço]', '[link do seu catálogo]']],
    ['[ATENÇÃO] [1] Comprar [suave] [resumo] []', []],
    ['[sua chave', []],
  ])('in %j', (text, gaps) => expect(gapsIn(text)).toEqual(gaps))

  it('keeps the flow from being published, wherever a contact would read it', () => {
    expect(found(flowSaying('Pague em [sua chave Pix]'))).toEqual(['error gap'])
    const menu = newNode('menu', 'menu', at)
    const asks = { ...menu, data: { ...menu.data, notUnderstood: 'Ligue para [seu telefone]' } } as FlowNode
    const { nodes, links, ...rest } = flowSaying('Oi')
    const link = { id: 'm menu', source: 'm', target: 'menu', sourceHandle: null } as const
    expect(found({ ...rest, nodes: [...nodes, asks], links: [...links, link] })).toContain('error gap')
  })

  it('is found in any text without end', () => {
    fc.assert(fc.property(fc.string({ maxLength: 300 }), (text) => Array.isArray(gapsIn(`${text}[`.repeat(50)))))
  })
})

describe('facts that a sample invented', () => {
  it('cannot be published where they are nobody’s, and are named where they might be', () => {
    expect(found(flowSaying('Chave: 12.345.678/0001-90'))).toEqual(['error invented_fact'])
    expect(found(flowSaying('Ficamos na Rua das Flores, 100, Centro.'))).toEqual(['warning invented_fact'])
  })
})

describe('that the shop is closed', () => {
  const closed = 'Agora estamos fora do horário.'
  it('needs no warning only where the flow knows it', () => {
    expect(found(flowSaying(closed))).toEqual(['warning says_closed'])
    expect(found(flowSaying(closed, { kind: 'out_of_hours' }))).toEqual([])
  })
  it('is in no new flow', () => expect(found(starterFlow())).toEqual([]))
})
