import { deriveId } from '@prosa/kernel/derive-id'
import { describe, expect, it } from 'vitest'
import { conversationWith } from './testing/conversation-with.ts'
import { asks, begins, flowOf, nodeOf, says } from './testing/flow-of.ts'

const flow = deriveId('a flow')
const field = deriveId('a field')
const fields = new Map([[field, { variable: 'ultimo_total', type: 'number' as const }]])

const total = (data: object = {}) =>
  nodeOf('conta', 'calculation', {
    ...{ expression: '{quantidade} * ({preco} + 1,50)', variable: 'total', decimals: 2, fieldId: null },
    ...data,
  })

const document = (data: object = {}, last = says('ok', 'Deu R$ {total}.')) =>
  flowOf(
    [begins, asks('quantidade', 'Quantos?'), asks('preco', 'Qual preço?'), total(data), last, says('falha')],
    [
      ...['start > quantidade', 'quantidade answer > preco', 'preco answer > conta'],
      ...[`conta success > ${last.id}`, 'conta failure > falha'],
    ],
  )

const calculated = (quantity: string, price: string, data: object = {}, about = {}) => {
  const talk = conversationWith({ [flow]: document(data) }, about)
  talk.writes('oi')
  talk.writes(quantity)
  talk.writes(price)
  return talk
}
const recorded = (talk: ReturnType<typeof calculated>) =>
  talk.events.flatMap(({ type, data }) => (type === 'FlowValueCalculated' ? [data] : []))

describe('a calculation', () => {
  it('takes what people wrote as numbers, and texts show the result as people write it', () => {
    const talk = calculated('duas', 'R$ 1.000')
    expect(talk.sent().at(-1)).toBe('Deu R$ 2.003,00.')
    expect(recorded(talk)).toMatchObject([{ nodeId: 'conta', variable: 'total', value: '2003.00' }])
    expect(talk.events.findLast(({ type }) => type === 'FlowStepTaken')?.data).toMatchObject({ type: 'message' })
  })

  it.each([
    ['muitos', '10', {}, { fault: 'not_a_number', about: 'quantidade' }],
    ['2', '10', { expression: '{quantidade} / ({preco} - 10)' }, { fault: 'division_by_zero' }],
    ['999999999999', '999999999999', {}, { fault: 'too_large' }],
    ['2', '10', { expression: '{ninguem} + 1' }, { fault: 'not_a_number', about: 'ninguem' }],
    ['2', '10', { expression: '{constructor}' }, { fault: 'not_a_number', about: 'constructor' }],
    ['2', '10', { expression: 'process.exit()' }, { fault: 'syntax' }],
  ] as const)('of %s and %s that cannot be made leaves by "Deu errado" (%j)', (quantity, price, data, fault) => {
    const talk = calculated(quantity, price, data)
    expect(talk.sent().at(-1)).toBe('falha')
    expect(recorded(talk)).toEqual([expect.objectContaining({ variable: 'total', ...fault })])
    expect(recorded(talk)[0]).not.toHaveProperty('value')
  })

  it('is also stored in a field of the contact, unless it holds another type', () => {
    const stored = (talk: ReturnType<typeof calculated>) =>
      talk.events.flatMap(({ type, data }) => (type === 'FlowFieldRequested' ? [data] : []))
    const own = calculated('2', '10', { fieldId: field }, { fields })
    expect(stored(own)).toMatchObject([{ fieldId: field, type: 'number', value: '23.00', nodeId: 'conta' }])
    const other = new Map([[field, { variable: 'ultimo_total', type: 'date' as const }]])
    expect(stored(calculated('2', '10', { fieldId: field }, { fields: other }))).toEqual([])
    expect(stored(calculated('x', '10', { fieldId: field }, { fields }))).toEqual([])
  })

  it('goes on from fields and earlier results, as a counter', () => {
    const counter = total({ expression: '{n} + 1', variable: 'n', decimals: null })
    const first = nodeOf('primeiro', 'calculation', { expression: '0', variable: 'n', decimals: null, fieldId: null })
    const counting = flowOf(
      [begins, first, counter, asks('mais', '{n}?')],
      ['start > primeiro', 'primeiro success > conta', 'conta success > mais', 'mais answer > conta'],
    )
    const talk = conversationWith({ [flow]: counting })
    for (const text of ['oi', 'a', 'b']) talk.writes(text)
    expect(talk.sent()).toEqual(['1?', '2?', '3?'])
    const known = conversationWith(
      {
        [flow]: flowOf(
          [begins, total({ expression: '{ultimo_total} * 2' }), says('ok', '{total}')],
          ['start > conta', 'conta success > ok'],
        ),
      },
      { fields, fieldValues: { [field]: '1234.50' } },
    )
    known.writes('oi')
    expect(known.sent()).toEqual(['2.469,00'])
  })

  it('compares as a number, and a request sends it as systems read it', () => {
    const sends = nodeOf('envia', 'request', { url: 'https://api.example/?total={total}' })
    const talk = conversationWith({ [flow]: document({}, sends) })
    for (const text of ['oi', '2', '999,5']) talk.writes(text)
    expect(talk.events.find(({ type }) => type === 'FlowRequestAsked')?.data).toMatchObject({
      values: { total: '2002.00' },
    })
  })
})
