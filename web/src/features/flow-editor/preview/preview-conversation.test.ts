import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { describe, expect, it } from 'vitest'
import { someFlow, someNode, welcome } from '../testing/flow-part.tsx'
import { type Choices, previewConversation } from './preview-conversation.ts'

const names = { label: () => 'VIP', flow: () => 'Vendas', connection: () => undefined, field: () => 'Cidade' }

const rows = (document: FlowDocument, choices: Choices = {}, fields: Parameters<typeof previewConversation>[4] = []) =>
  previewConversation(document, choices, names, 'Padaria Sol', fields).map((item) =>
    item.kind === 'choice' ? `? ${item.question} ${item.chosen}` : `${item.kind} ${item.text}`,
  )

describe('Preview', () => {
  it('plays the main way, with answers that lead there', () => {
    expect(rows(welcome())).toEqual([
      'line Começa quando o contato escreve qualquer mensagem.',
      'contact Oi',
      'line digitando… por 2 segundos',
      'business Olá, Ana!',
      'business Quer fazer um pedido?',
      'contact Sim',
      '? Se quer true',
      'business Veja o cardápio.',
      'line Fim da conversa.',
    ])
  })

  it('follows another way where one is chosen', () => {
    expect(rows(welcome(), { sim: 'false' }).slice(5)).toEqual([
      'contact Não',
      '? Se quer false',
      'line Depois de 1 hora',
      'business Já chamo alguém.',
      'line Daqui em diante uma pessoa responde.',
    ])
  })

  it('sends no request, and follows the way that is chosen', () => {
    const flow = someFlow(
      [
        someNode('trigger', 'a'),
        someNode('request', 'r', { title: 'Consultar', results: [{ path: 'a', variable: 'situacao' }] }),
        someNode('message', 'ok', { message: 'Pedido {situacao}.' }),
        someNode('message', 'falha', { message: 'Não deu.' }),
      ],
      'a>r',
      'r.success>ok',
      'r.failure>falha',
    )
    const question = '? Requisição HTTP “Consultar” dá certo?'
    expect(rows(flow).slice(2)).toEqual([`${question} success`, 'business Pedido (situacao).', 'line Fim da conversa.'])
    expect(rows(flow, { r: 'failure' }).slice(2)[1]).toBe('business Não deu.')
  })

  it('calculates with what it shows, or else names the result', () => {
    const flow = someFlow(
      [
        someNode('trigger', 'a'),
        someNode('question', 'q', {
          question: 'Quantos?',
          variable: 'n',
          check: { type: 'number', again: '', attempts: 0 },
        }),
        someNode('calculation', 'c', { expression: '{n} * 2,5', variable: 'total', decimals: 2 }),
        someNode('message', 'ok', { message: 'R$ {total}' }),
        someNode('message', 'falha', { message: 'Não deu.' }),
      ],
      ...['a>q', 'q.answer>c', 'c.success>ok', 'c.failure>falha'],
    )
    expect(rows(flow)).toContain('business R$ 7,50')
    expect(rows(flow, { c: 'failure' })).toContain('business Não deu.')
  })

  it('fills in the fields of contacts, with an example of their type', () => {
    const flow = someFlow(
      [someNode('trigger', 'a'), someNode('message', 'b', { message: '{nome}, de {cidade}, {idade} anos.' })],
      'a>b',
    )
    const fields = [
      { variable: 'cidade', type: 'text' },
      { variable: 'idade', type: 'number' },
    ] as const
    expect(rows(flow, {}, fields)[2]).toBe('business Ana, de Uma resposta, 3 anos.')
  })

  it('shows a menu with its numbers, and the way of each option', () => {
    const flow = someFlow(
      [
        someNode('trigger', 'a'),
        someNode('menu', 'm', {
          text: 'O que deseja?',
          options: [
            { output: 'option_1', label: 'Bolos', words: [] },
            { output: 'option_2', label: 'Pães', words: [] },
          ],
          variable: 'pedido',
          notUnderstood: 'Responda 1 ou 2.',
        }),
        someNode('message', 'ok', { message: 'Anotado: {pedido}.' }),
      ],
      'a>m',
      'm.option_1>ok',
      'm.option_2>ok',
    )
    const asked = ['business O que deseja?\n\n1 - Bolos\n2 - Pães']
    expect(rows(flow).slice(2)).toEqual([
      ...asked,
      '? O que o contato escolhe? option_1',
      'contact 1',
      'business Anotado: Bolos.',
      'line Fim da conversa.',
    ])
    expect(rows(flow, { m: 'option_2' })).toContain('business Anotado: Pães.')
    expect(rows(flow, { m: 'not_understood' }).slice(4)).toEqual([
      'contact Outra coisa',
      'business Responda 1 ou 2.',
      'contact Mais outra coisa',
      'line Fim da conversa.',
    ])
  })

  it('shows what follows when the contact does not answer', () => {
    const flow = someFlow(
      [
        someNode('trigger', 'a', { start: { kind: 'keyword', words: ['preço'], match: 'contains' } }),
        someNode('question', 'q', { question: 'Qual o seu nome?', variable: 'nome_dela', timeoutSeconds: 7200 }),
        someNode('message', 'm', { message: 'Obrigado, {nome_dela}. {Empresa} agradece, {resposta}!' }),
        someNode('message', 'late', { message: 'Ainda aí?' }),
      ],
      'a>q',
      'q.answer>m',
      'q.timeout>late',
    )
    expect(rows(flow)).toEqual([
      'line Começa quando a mensagem do contato contém “preço”.',
      'contact preço',
      'business Qual o seu nome?',
      '? O contato responde? answer',
      'contact Ana Souza',
      'business Obrigado, Ana Souza. Padaria Sol agradece, Ana Souza!',
      'line Fim da conversa.',
    ])
    expect(rows(flow, { q: 'timeout' }).slice(3)).toEqual([
      '? O contato responde? timeout',
      'line Sem resposta por 2 horas.',
      'business Ainda aí?',
      'line Fim da conversa.',
    ])
  })

  it('shows a checked answer as texts show it, and what follows another one', () => {
    const flow = someFlow(
      [
        someNode('trigger', 'a'),
        someNode('question', 'q', {
          question: 'Para quando?',
          variable: 'dia',
          check: { type: 'date', again: 'Escreva como 27/11.', attempts: 2 },
        }),
        someNode('message', 'm', { message: 'Combinado: {dia}.' }),
      ],
      'a>q',
      'q.answer>m',
    )
    expect(rows(flow).slice(2)).toEqual([
      'business Para quando?',
      '? Como o contato responde? answer',
      'contact 27/11/2026',
      'business Combinado: 27/11/2026.',
      'line Fim da conversa.',
    ])
    expect(rows(flow, { q: 'not_understood' }).slice(4)).toEqual([
      'contact Outra coisa',
      'business Escreva como 27/11.',
      'contact Mais outra coisa',
      'line Fim da conversa.',
    ])
  })

  it('leaves out what nobody sees, and ends where it would go round', () => {
    const flow = someFlow(
      [
        someNode('trigger', 'a', { start: { kind: 'label_set', labelId: 'x' } }),
        someNode('label', 'l', { labelId: 'x' }),
        someNode('message', 'off', { message: 'Oferta', enabled: false }),
        someNode('delay', 'd', { delay: '5' }),
      ],
      'a>l',
      'l>off',
      'off>d',
      'd>l',
    )
    expect(rows(flow)).toEqual([
      'line Começa quando o contato recebe a etiqueta “VIP”.',
      'line Depois de 5 segundos',
      'line A conversa volta a Etiqueta.',
    ])
  })

  it('shows nothing of a flow without a trigger', () => {
    expect(rows(someFlow([someNode('message', 'm')]))).toEqual([])
  })
})
