import type { FlowStepTaken } from '@prosa/contracts/http/flow-runs'
import { describe, expect, it } from 'vitest'
import { endReasonNames, endReasonSentences } from './flow-words.ts'
import { stepSentence, withoutImplied } from './step-sentence.ts'
import { someFlow, someNode, welcome } from './testing/flow-part.tsx'

const now = new Date(2026, 10, 23, 9).getTime()
const until = new Date(2026, 10, 23, 14, 32).toISOString()
const names = { label: () => 'VIP', flow: () => 'Vendas', connection: () => undefined, field: () => 'Cidade' }
const said: FlowStepTaken = {
  kind: 'message',
  nodeId: 'ola',
  text: 'Veja:\n o cardápio',
  fileKind: 'image',
  fileName: 'foto.jpg',
  typingSeconds: 0,
}
const replied = { kind: 'replied', nodeId: 'r', durationMs: 1240, attempts: 1, values: {} } as const
const passed = (nodeId: string, type: string, output: 'true' | 'false' | 'answer' | 'timeout' | null = null) =>
  ({ kind: 'passed', nodeId, type, output }) satisfies FlowStepTaken

describe('a step in a sentence', () => {
  it.each<[FlowStepTaken, string]>([
    [{ kind: 'started', nodeId: 'inicio' }, 'O fluxo começou.'],
    [said, 'Imagem “foto.jpg”: “Veja: o cardápio”'],
    [passed('sim', 'condition', 'true'), 'Condição “Se quer”: Verdadeiro.'],
    [passed('gone', 'condition', 'false'), 'Condição: Falso.'],
    [passed('pedir', 'question', 'timeout'), 'O tempo para responder acabou.'],
    [passed('pausa', 'delay'), 'A espera terminou.'],
    [{ kind: 'label', nodeId: 'l', labelId: 'x', isLabelled: false }, 'Tirou a etiqueta “VIP” do contato.'],
    [{ kind: 'delay', nodeId: 'pausa', until }, 'Espera até hoje, 14:32.'],
    [{ kind: 'asked', nodeId: 'pedir', until }, 'Espera a resposta do contato, no máximo até hoje, 14:32.'],
    [
      { kind: 'answered', nodeId: 'pedir', variable: 'quer', text: 'claro' },
      'O contato respondeu “claro”, guardado em “quer”.',
    ],
    [{ kind: 'requested', nodeId: 'r', until }, 'Fez uma requisição e espera a resposta até hoje, 14:32.'],
    [
      { ...replied, status: 200, failure: null, values: { situacao: 'saiu' } },
      'A requisição deu certo (200), 1.240 ms. Guardou “saiu” em “situacao”.',
    ],
    [
      { ...replied, status: 503, failure: 'status', attempts: 3 },
      'A requisição deu errado: o servidor recusou (503), 1.240 ms, 3 tentativas.',
    ],
    [
      { kind: 'calculated', nodeId: 'c', variable: 'total', value: '31,00', fault: null },
      'Calculou “31,00”, guardado em “total”.',
    ],
    [
      { kind: 'calculated', nodeId: 'c', variable: 'total', value: null, fault: 'not_a_number', about: 'preco' },
      'A conta não deu certo: {preco} não é um número.',
    ],
    [{ kind: 'kept', text: 'alô' }, 'O contato escreveu “alô”: fica guardado para a próxima pergunta.'],
    [{ kind: 'ended', reason: 'went_on', flowId: 'f' }, 'A conversa seguiu para o fluxo “Vendas”.'],
    [{ kind: 'ended', reason: 'silence', flowId: null }, endReasonSentences.silence],
  ])('%#', (step, sentence) => expect(stepSentence(step, { document: welcome(), names, now })).toBe(sentence))

  it('leaves out what goes without saying, not a message that was skipped', () => {
    const steps = [
      { kind: 'started', nodeId: 'inicio' } as const,
      passed('inicio', 'trigger'),
      said,
      passed('ola', 'message'),
      passed('off', 'message'),
      passed('pedir', 'question', 'answer'),
      passed('sim', 'condition', 'true'),
    ].map((step) => ({ step }))
    expect(withoutImplied(steps).map(({ step }) => ('nodeId' in step ? step.nodeId : ''))).toEqual([
      'inicio',
      'ola',
      'off',
      'sim',
    ])
    const document = someFlow([someNode('message', 'off', { title: 'Oferta', enabled: false })])
    expect(stepSentence(passed('off', 'message'), { document, names, now })).toBe(
      'Mensagem “Oferta” está desativada e foi pulada.',
    )
  })

  it('has a word and a sentence for every end', () => {
    expect(Object.keys(endReasonNames)).toEqual(Object.keys(endReasonSentences))
  })
})
