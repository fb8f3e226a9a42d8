import type { FlowStepTaken, FlowTestInput } from '@prosa/contracts/http/flow-runs'
import { describe, expect, it } from 'vitest'
import { someFlow, someNode, welcome } from '../testing/flow-part.tsx'
import { tryoutItems } from './tryout-items.ts'

const names = { label: () => 'VIP', flow: () => 'Vendas', connection: () => undefined, field: () => 'Cidade' }
const now = Date.parse('2026-11-23T12:00:00.000Z')

const says = (text: string): FlowTestInput => ({ kind: 'message', text })
const step = (at: number, taken: FlowStepTaken) => ({ at, step: taken })
const message = (text: string): FlowStepTaken => ({
  kind: 'message',
  nodeId: 'ola',
  text,
  fileKind: null,
  fileName: null,
  typingSeconds: 0,
})

const rows = (
  inputs: FlowTestInput[],
  steps: ReturnType<typeof step>[],
  document = welcome(),
  inputCount = inputs.length,
) =>
  tryoutItems(inputs, { inputCount, result: { steps, standing: null, variables: {} } }, { document, names, now }).map(
    (item) => `${item.kind === 'line' ? '·' : item.kind === 'own' ? '>' : '<'} ${item.text}`,
  )

describe('the conversation of a test', () => {
  it('shows after each message what it led to', () => {
    const steps = [
      step(1, { kind: 'started', nodeId: 'inicio' }),
      step(1, message('Olá, Ana!')),
      step(1, { kind: 'passed', nodeId: 'ola', type: 'message', output: null }),
      step(2, { kind: 'answered', nodeId: 'pedir', variable: 'quer', text: 'sim' }),
      step(2, { kind: 'passed', nodeId: 'sim', type: 'condition', output: 'true' }),
      step(2, { kind: 'ended', reason: 'completed', flowId: null }),
    ]
    expect(rows([says('oi'), says('sim')], steps)).toEqual([
      '< oi',
      '· O fluxo começou.',
      '> Olá, Ana!',
      '< sim',
      '· Resposta guardada em “quer”.',
      '· Condição “Se quer”: Verdadeiro.',
      '· O fluxo chegou ao fim.',
    ])
  })

  it('shows the option that a menu understood, and nothing of an answer that is not kept', () => {
    const answered = (variable: string, value?: string) =>
      step(1, { kind: 'answered', nodeId: 'menu', variable, text: '2', ...(value !== undefined && { value }) })
    expect(rows([says('2')], [answered('pedido', 'Pão'), answered('', 'Pão'), answered('')])).toEqual([
      '< 2',
      '· Entendido como “Pão”, guardado em “pedido”.',
      '· Entendido como “Pão”.',
    ])
  })

  it('says why a message sets nothing off', () => {
    const keyword = someNode('trigger', 'a', { start: { kind: 'keyword', words: ['oi', 'olá'], match: 'equals' } })
    expect(rows([says('tchau')], [], someFlow([keyword]))).toEqual([
      '< tchau',
      '· Nada acontece: este fluxo começa quando o contato escreve só “oi” ou “olá”.',
    ])
    const off = someNode('trigger', 'a', { enabled: false })
    expect(rows([says('oi')], [], someFlow([off]))[1]).toBe('· Nada acontece: o gatilho está desativado.')
    const once = { ...welcome(), settings: { ...welcome().settings, again: 'never' as const } }
    expect(
      rows([says('oi'), says('oi')], [step(1, { kind: 'ended', reason: 'completed', flowId: null })], once).at(-1),
    ).toBe('· Nada acontece: este fluxo não começa de novo para a mesma pessoa (Configurações).')
  })

  it('says that nobody is greeted who waits for a person', () => {
    const ended = step(1, { kind: 'ended', reason: 'handed_over', flowId: null })
    expect(rows([says('oi'), says('Alô?')], [ended]).at(-1)).toBe(
      '· Nada acontece: a conversa espera por uma pessoa, e nenhum fluxo começa até ela ser finalizada.',
    )
  })

  it('says that a label was deleted since, and did nothing', () => {
    const passed: FlowStepTaken = { kind: 'passed', nodeId: 'x', type: 'label', output: null, skipped: 'label_gone' }
    expect(rows([says('oi')], [step(1, passed)]).at(-1)).toBe(
      '· A etiqueta deste passo foi excluída: nada mudou no contato.',
    )
  })

  it('says nothing of what was written while the answer is on its way', () => {
    expect(rows([says('oi')], [], welcome(), 0)).toEqual(['< oi'])
  })

  it('shows that a message that is turned off was skipped, and who was kept waiting', () => {
    const flow = someFlow([someNode('message', 'ola', { title: 'Oferta', enabled: false })])
    const steps = [
      step(1, { kind: 'passed', nodeId: 'ola', type: 'message', output: null }),
      step(2, { kind: 'kept', text: 'alô?' }),
    ]
    expect(rows([says('oi'), says('alô?'), { kind: 'skip_time' }], steps, flow)).toEqual([
      '< oi',
      '· Mensagem “Oferta” está desativada e foi pulada.',
      '< alô?',
      '· A mensagem fica guardada para a próxima pergunta.',
      '· O tempo passou.',
      '· Não havia nada a esperar.',
    ])
  })
})
