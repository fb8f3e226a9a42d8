import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { describe, expect, it } from 'vitest'
import { someFlow, someNode, welcome } from '../testing/flow-part.tsx'
import { compareFlows } from './compare-flows.ts'
import { describeNode, describeSettings } from './describe-node.ts'

const names = {
  label: (id: string) => (id === 'vip' ? 'VIP' : undefined),
  flow: (id: string) => (id === 'vendas' ? 'Vendas' : undefined),
  field: () => 'Cidade',
  connection: (id: string) => (id === 'loja' ? 'Loja' : undefined),
}
const inWords = (node: Parameters<typeof describeNode>[0]) =>
  describeNode(node, names).map(({ label, value }) => `${label}: ${value}`)

describe('a node in words', () => {
  it.each([
    [
      someNode('trigger', 'a', { start: { kind: 'keyword', words: ['oi', 'olá'], match: 'contains' }, enabled: false }),
      [
        'Texto: O usuário envia uma mensagem',
        'Começa quando: a mensagem do contato contém “oi” ou “olá”',
        'Gatilho: Desativado',
      ],
    ],
    [
      someNode('message', 'b', { message: 'Oi', typingSeconds: 3 }),
      ['Título: vazio', 'Mensagem: Oi', 'Arquivo: nenhum', 'Digitando: 3 segundos', 'Envio: Ativado'],
    ],
    [someNode('delay', 'c', { delay: '5400', description: '' }), ['Tempo: 1 hora e 30 minutos', 'Descrição: vazio']],
    [
      someNode('condition', 'd', {
        condition: '',
        test: { kind: 'number', variable: 'idade', comparison: 'above', value: 17.5 },
      }),
      ['Texto: vazio', 'Se: a resposta guardada em “idade” é maior que 17,5'],
    ],
    [
      someNode('question', 'e', { question: 'Idade?', variable: 'idade', timeoutSeconds: 120 }),
      ['Pergunta: Idade?', 'Guarda a resposta em: idade', 'Espera até: 2 minutos'],
    ],
    [someNode('label', 'f', { labelId: 'vip', isLabelled: false }), ['Tira: a etiqueta “VIP”']],
    [someNode('label', 'f', { labelId: 'gone' }), ['Põe: a etiqueta que foi excluída']],
    [someNode('handover', 'g', { message: '' }), ['Mensagem: vazio']],
    [someNode('flow', 'h', { flowId: 'vendas' }), ['Segue para: o fluxo “Vendas”']],
  ])('%#', (node, words) => expect(inWords(node)).toEqual(words))

  it('has settings, too', () => {
    const settings = { again: 'after', againAfterHours: 1, silenceHours: 24, connectionIds: ['loja', 'x'] } as const
    expect(describeSettings({ ...settings, connectionIds: [...settings.connectionIds] }, names)).toEqual([
      { label: 'Começa de novo para a mesma pessoa', value: '1 hora depois de terminar' },
      { label: 'Termina depois de', value: '24 horas sem resposta' },
      { label: 'Números', value: 'Loja, número removido' },
    ])
  })
})

describe('comparing two flows', () => {
  it('names nodes, fields, links and settings that differ', () => {
    const after: FlowDocument = {
      ...welcome(),
      nodes: welcome()
        .nodes.filter(({ id }) => id !== 'pausa')
        .map((node) =>
          node.type === 'delay' || node.id !== 'ola' ? node : someNode('message', 'ola', { message: 'Bom dia!' }),
        )
        .concat(someNode('label', 'etiqueta', { labelId: 'vip' })),
      links: someFlow([], 'inicio>ola', 'ola>pedir', 'pedir.answer>sim', 'sim.true>cardapio', 'sim.false>etiqueta')
        .links,
      settings: { ...welcome().settings, again: 'never' },
    }
    const found = compareFlows(welcome(), after, names)
    expect(found.added.map(({ id }) => id)).toEqual(['etiqueta'])
    expect(found.removed.map(({ id }) => id)).toEqual(['pausa'])
    expect(found.changed).toEqual([
      {
        node: after.nodes.find(({ id }) => id === 'ola'),
        fields: [
          { label: 'Mensagem', before: 'Olá, {nome}!', after: 'Bom dia!' },
          { label: 'Digitando', before: '2 segundos', after: 'não aparece' },
        ],
      },
    ])
    expect(found.linksAdded).toEqual(['De Condição “Se quer” (Falso) para Etiqueta'])
    expect(found.linksRemoved).toEqual([
      'De Condição “Se quer” (Falso) para Delay de 1 hora',
      'De Delay de 1 hora para Transferir “Já chamo alguém.”',
    ])
    expect(found.settings.map(({ after: now }) => now)).toEqual(['nunca'])
    expect(found.isSame).toBe(false)
  })

  it('finds no difference where nodes only moved', () => {
    const moved = welcome()
    for (const node of moved.nodes) node.position = { x: 99, y: 99 }
    expect(compareFlows(welcome(), moved, names).isSame).toBe(true)
  })
})

it('shows notes that are new, changed and gone, and no note that moved', () => {
  const note = (id: string, text: string, x = 0) => ({ id, text, position: { x, y: 0 } })
  const before = { ...someFlow([]), notes: [note('a', 'Fica'), note('b', 'Antes'), note('c', 'Sai')] }
  const after = { ...someFlow([]), notes: [note('a', 'Fica', 90), note('b', 'Depois'), note('d', 'Entra')] }
  expect(compareFlows(before, after, names).notes).toEqual([
    { label: 'Nota 1', before: 'Antes', after: 'Depois' },
    { label: 'Nota 2', before: null, after: 'Entra' },
    { label: 'Nota 3', before: 'Sai', after: null },
  ])
  expect(compareFlows(before, { ...before, notes: before.notes.toReversed() }, names).isSame).toBe(true)
})
