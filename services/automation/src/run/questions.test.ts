import type { answerTypes } from '@prosa/contracts/values/answers/answer-type'
import { deriveId } from '@prosa/kernel/derive-id'
import { describe, expect, it } from 'vitest'
import { conversationWith } from './testing/conversation-with.ts'
import { begins, flowOf, nodeOf, says, waits } from './testing/flow-of.ts'

const flow = deriveId('a flow')
type Type = (typeof answerTypes)[number]

const checked = (type: Type, attempts = 2) => [
  begins,
  nodeOf('q', 'question', {
    question: 'Qual?',
    variable: 'valor',
    timeoutSeconds: 60,
    check: { type, again: 'De novo, {nome}: {resposta}?', attempts },
  }),
  says('ok', 'Anotado: {valor}.'),
  says('outro', 'Chamo alguém. {valor}'),
  says('tarde'),
]
const ways = ['start > q', 'q answer > ok', 'q not_understood > outro', 'q timeout > tarde']

/** Monday, 23 November 2026. */
const ana = (type: Type, attempts?: number) => {
  const talk = conversationWith({ [flow]: flowOf(checked(type, attempts), ways) })
  talk.writes('oi')
  return talk
}
const stored = (talk: ReturnType<typeof ana>) =>
  talk.events.flatMap((event) => (event.type === 'FlowAnswerReceived' ? [event.data] : []))

describe('a checked question', () => {
  it.each([
    ['number', 'R$ 1.234,5', '1234.5', '1.234,5'],
    ['email', 'é ANA@loja.com', 'ana@loja.com', 'ana@loja.com'],
    ['phone', '11 98888 7777', '5511988887777', '(11) 98888-7777'],
    ['document', '52998224725', '52998224725', '529.982.247-25'],
    ['date', 'amanhã', '2026-11-24', '24/11/2026'],
    ['yes_no', 'claro', 'sim', 'sim'],
    ['text', ' Rua A ', 'Rua A', 'Rua A'],
  ] as const)('of %s stores %j as %s, and shows it as %s', (type, text, value, shown) => {
    const talk = ana(type)
    talk.writes(text)
    expect(stored(talk)).toMatchObject([{ variable: 'valor', text, value, answerType: type }])
    expect(talk.sent()).toEqual(['Qual?', `Anotado: ${shown}.`])
  })

  it('takes a file where one is wanted, with words or without', () => {
    const talk = ana('file')
    talk.writes('já mando')
    talk.writes('aqui', { file: 'nota.pdf' })
    expect(talk.sent()).toEqual(['Qual?', 'De novo, Ana: já mando?', 'Anotado: nota.pdf.'])
  })

  it('is asked again after another answer, so many times, then goes on by "Não entendi" without a value', () => {
    const talk = ana('date')
    for (const text of ['logo', '31/02', 'sei lá']) talk.writes(text)
    expect(talk.sent()).toEqual(['Qual?', 'De novo, Ana: logo?', 'De novo, Ana: 31/02?', 'Chamo alguém.'])
    expect(stored(talk).map(({ variable, value }) => [variable, value])).toEqual(Array(3).fill(['resposta', undefined]))
    expect(talk.ends()).toEqual(['completed'])
  })

  it('with no attempts goes on at once; silence is still silence', () => {
    const strict = ana('number', 0)
    strict.writes('muitos')
    expect(strict.sent()).toEqual(['Qual?', 'Chamo alguém.'])
    const silent = ana('number')
    silent.writes('hein')
    silent.passes(61)
    expect(silent.sent().at(-1)).toBe('tarde')
  })

  it('checks what was written, or sent, while the flow delayed, in its order', () => {
    const delayed = [begins, waits('rest', '30'), ...checked('file').slice(1)]
    const talk = conversationWith({ [flow]: flowOf(delayed, ['start > rest', 'rest > q', ...ways.slice(1)]) })
    talk.writes('oi')
    talk.writes('hein')
    talk.writes('', { file: 'Foto' })
    talk.passes(30)
    expect(talk.sent()).toEqual(['Qual?', 'De novo, Ana: hein?', 'Anotado: Foto.'])
  })

  it('takes any answer where nothing is checked, as flows of before do', () => {
    const nodes = [
      begins,
      nodeOf('q', 'question', { question: 'Qual?', variable: 'valor' }),
      says('ok', 'Anotado: {valor}.'),
    ]
    const talk = conversationWith({ [flow]: flowOf(nodes, ['start > q', 'q answer > ok']) })
    talk.writes('oi')
    talk.writes('31/02')
    expect(talk.sent()).toEqual(['Qual?', 'Anotado: 31/02.'])
  })

  it('is compared by conditions as texts show it', () => {
    const above = nodeOf('if', 'condition', {
      test: { kind: 'number', variable: 'valor', comparison: 'above', value: 1 },
    })
    const nodes = [...checked('number').slice(0, 2), above, says('ok'), says('outro')]
    const talk = conversationWith({
      [flow]: flowOf(nodes, ['start > q', 'q answer > if', 'if true > ok', 'if false > outro']),
    })
    talk.writes('oi')
    talk.writes('1,234')
    expect(talk.sent()).toEqual(['Qual?', 'ok'])
  })

  it('is also stored in a field of the contact, which every text may name, unless the field is gone', () => {
    const [birth, gone] = [deriveId('birth'), deriveId('gone')]
    const fields = new Map([[birth, { variable: 'nascimento', type: 'date' as const }]])
    const talkOf = (fieldId: string, about = {}) => {
      const [start, question] = checked('date')
      if (!start || question?.type !== 'question') throw new Error('no question')
      const check = { type: 'date' as const, again: '?', attempts: 0, fieldId }
      const asking = { ...question, data: { ...question.data, check } }
      const nodes = [start, asking, says('ok', 'Nasceu em {nascimento}, {valor}.')]
      const talk = conversationWith({ [flow]: flowOf(nodes, ways.slice(0, 2)) }, { fields, ...about })
      talk.writes('oi')
      talk.writes('15/03/85')
      return talk
    }
    const talk = talkOf(birth)
    expect(talk.events.filter(({ type }) => type === 'FlowFieldRequested').map(({ data }) => data)).toMatchObject([
      { fieldId: birth, type: 'date', value: '1985-03-15', nodeId: 'q' },
    ])
    expect(talk.sent().at(-1)).toBe('Nasceu em 15/03/1985, 15/03/1985.')
    const known = talkOf(gone, { fieldValues: { [birth]: '1990-01-02', [gone]: 'x' } })
    expect(known.events.some(({ type }) => type === 'FlowFieldRequested')).toBe(false)
    expect(known.sent().at(-1)).toBe('Nasceu em 02/01/1990, 15/03/1985.')
  })

  it('loses its type where a later answer sets the variable without one', () => {
    const later = nodeOf('r', 'question', { question: 'E agora?', variable: 'valor' })
    const nodes = [...checked('date').slice(0, 2), later, says('ok', '{valor}')]
    const talk = conversationWith({ [flow]: flowOf(nodes, ['start > q', 'q answer > r', 'r answer > ok']) })
    talk.writes('oi')
    talk.writes('24/11')
    talk.writes('2026-11-25')
    expect(talk.sent().at(-1)).toBe('2026-11-25')
  })

  it('leaves its value, with its type, to the flow that follows', () => {
    const next = deriveId('next')
    const goesOn = [...checked('phone').slice(0, 2), nodeOf('on', 'flow', { flowId: next })]
    const talk = conversationWith({
      [flow]: flowOf(goesOn, ['start > q', 'q answer > on'], {}),
      [next]: flowOf(
        [
          nodeOf('start', 'trigger', { start: { kind: 'keyword', words: ['zzz'], match: 'equals' } }),
          says('m', '{valor}'),
        ],
        ['start > m'],
      ),
    })
    talk.writes('oi')
    talk.writes('1138776655')
    expect(talk.sent().at(-1)).toBe('(11) 3877-6655')
  })
})
