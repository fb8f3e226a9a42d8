import { deriveId } from '@prosa/kernel/derive-id'
import { describe, expect, it } from 'vitest'
import { foldRuns, noRuns, readRun } from '../flow-run-state.ts'
import { takeOver } from '../take-over.ts'
import { conversationWith } from '../testing/conversation-with.ts'
import { asks, begins, flowOf, nodeOf, says } from '../testing/flow-of.ts'

const flow = deriveId('a flow')
const request = nodeOf('consulta', 'request', {
  method: 'POST',
  url: 'https://api.example/pedidos/{pedido}',
  body: '{"cliente": "{nome}", "de": "{empresa}"}',
  results: [{ path: 'situacao', variable: 'situacao' }],
})
const document = flowOf(
  [begins, asks('pedido', 'Qual pedido?'), request, says('ok', 'Pedido {pedido}: {situacao}.'), says('falha')],
  ['start > pedido', 'pedido answer > consulta', 'consulta success > ok', 'consulta failure > falha'],
)

const waiting = () => {
  const talk = conversationWith({ [flow]: document })
  talk.writes('oi')
  talk.writes('1234')
  return talk
}
const values = { situacao: 'saiu para entrega' }

describe('a request', () => {
  it('is asked for with the values it names, and the run waits', () => {
    const talk = waiting()
    const asked = talk.events.find(({ type }) => type === 'FlowRequestAsked')
    expect(asked?.data).toMatchObject({
      nodeId: 'consulta',
      values: { pedido: '1234', nome: 'Ana', empresa: 'Padaria Sol' },
    })
    expect(talk.state().runs[0]?.standing).toMatchObject({ waitsFor: 'reply', nodeId: 'consulta' })
  })

  it('goes on by its reply, whose values texts show', () => {
    const talk = waiting()
    talk.isReplied({ values })
    expect(talk.sent()).toEqual(['Qual pedido?', 'Pedido 1234: saiu para entrega.'])
    expect(talk.ends()).toEqual(['completed'])
  })

  it('takes values as their types store them, and its numbers are shown and compared as people write them', () => {
    const asked = nodeOf('asked', 'question', {
      ...{ question: 'Quanto?', variable: 'valor' },
      check: { type: 'number', again: 'Quanto?', attempts: 1 },
    })
    const compared = nodeOf('caro', 'condition', {
      test: { kind: 'number', variable: 'valor', comparison: 'above', value: 1000 },
    })
    const priced = flowOf(
      [
        begins,
        asked,
        nodeOf('consulta', 'request', { url: 'https://api.example/?v={valor}' }),
        compared,
        says('ok', '{valor}'),
      ],
      ['start > asked', 'asked answer > consulta', 'consulta success > caro', 'caro false > ok'],
    )
    const talk = conversationWith({ [flow]: priced })
    talk.writes('oi')
    talk.writes('R$ 1.234,50')
    expect(talk.events.find(({ type }) => type === 'FlowRequestAsked')?.data).toMatchObject({
      values: { valor: '1234.50' },
    })
    talk.isReplied({ values: { valor: '1.234' }, types: { valor: 'number' } })
    expect(talk.sent()).toEqual(['Quanto?', '1,234'])
  })

  it('forgets the type that an answer had where its reply is a text', () => {
    const asked = nodeOf('asked', 'question', {
      ...{ question: 'Quanto?', variable: 'valor' },
      check: { type: 'number', again: 'Quanto?', attempts: 1 },
    })
    const priced = flowOf(
      [begins, asked, nodeOf('consulta', 'request', { url: 'https://api.example/' }), says('ok', '{valor}')],
      ['start > asked', 'asked answer > consulta', 'consulta success > ok'],
    )
    const talk = conversationWith({ [flow]: priced })
    talk.writes('oi')
    talk.writes('2')
    talk.isReplied({ values: { valor: '1234.5' } })
    expect(talk.sent()).toEqual(['Quanto?', '1234.5'])
  })

  it('takes a reply that is given twice, late or to an earlier step once', () => {
    const talk = waiting()
    expect(talk.isReplied({ step: 1 })).toEqual([])
    const { runId = '', step = 0 } = talk.state().runs[0] ?? {}
    talk.isReplied({ values })
    const before = talk.events.length
    expect(talk.isReplied({ step })).toEqual([])
    expect(runId).not.toBe('')
    expect(talk.events).toHaveLength(before)
  })

  it('that fails goes on by "Deu errado", and so does one without a reply in five minutes', () => {
    const failed = waiting()
    failed.isReplied({ status: 503, failure: 'status', attempts: 3 })
    expect(failed.sent().at(-1)).toBe('falha')
    const silent = waiting()
    silent.passes(299)
    expect(silent.sent()).toHaveLength(1)
    silent.passes(1)
    expect(silent.sent().at(-1)).toBe('falha')
    expect(silent.events.find(({ type }) => type === 'FlowRequestAnswered')?.data).toMatchObject({
      failure: 'no_reply',
      attempts: 0,
    })
  })

  it('keeps what the contact writes meanwhile for the next question, and starts nothing', () => {
    const asking = flowOf(
      [begins, request, asks('mais', 'Mais algo?'), says('fim', '{mais}')],
      ['start > consulta', 'consulta success > mais', 'mais answer > fim'],
    )
    const talk = conversationWith({ [flow]: asking, [deriveId('other')]: flowOf([begins, says('x')], ['start > x']) })
    talk.writes('oi')
    talk.writes('alô?')
    expect(talk.started()).toHaveLength(1)
    talk.isReplied()
    expect(talk.sent()).toEqual(['Mais algo?', 'alô?'])
  })

  it('too large to be sent goes on by "Deu errado" at once', () => {
    const many = Array.from({ length: 60 }, (_, at) => `v${at}`)
    const questions = many.map((name) => asks(name))
    const large = nodeOf('consulta', 'request', {
      method: 'POST',
      url: 'https://api.example/',
      body: JSON.stringify(many.map((name) => `{${name}}`)),
    })
    const ways = [...many, 'consulta'].map((name, at) => `${at === 0 ? 'start' : `${many[at - 1]} answer`} > ${name}`)
    const long = flowOf([begins, ...questions, large, says('falha')], [...ways, 'consulta failure > falha'])
    const talk = conversationWith({ [flow]: long }, { limits: { starts: 10, messages: 1000 } })
    talk.writes('oi')
    for (const _ of many) talk.writes('ç'.repeat(4000))
    expect(talk.sent().at(-1)).toBe('falha')
    const [asked] = talk.events.filter(({ type }) => type === 'FlowRequestAsked')
    expect(asked?.data).toMatchObject({ values: {} })
  })

  it('goes on where the contact was merged into, with the values it had', () => {
    const run = waiting().state().runs[0]
    if (!run) throw new Error('no run')
    const taken = takeOver(noRuns, {
      ...{ from: 'a', runs: [run], at: '2026-11-23T12:01:00.000Z', recent: { starts: [], messages: [] } },
      ...{ paused: null, limits: { starts: 10, messages: 30 }, handedOverAt: null, botPause: null },
    })
    const state = foldRuns(noRuns, taken)
    expect(state.runs[0]?.standing).toEqual(run.standing)
    const moved = taken.flatMap(({ type, data }) => (type === 'FlowRunTakenOver' ? readRun(data.state) : []))
    expect(moved[0]?.standing?.values).toMatchObject({ pedido: '1234' })
  })
})
