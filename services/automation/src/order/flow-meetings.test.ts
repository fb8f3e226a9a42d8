import type { FlowStart } from '@prosa/contracts/flows/flow-document'
import { meetingsOf, type Starter } from '@prosa/contracts/flows/flow-meetings'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { flowSetOffBy } from '../run/choose-flow.ts'
import { noRuns } from '../run/flow-run-state.ts'
import { flowOf, nodeOf } from '../run/testing/flow-of.ts'

const word = (match: 'equals' | 'contains', ...words: string[]): FlowStart => ({ kind: 'keyword', match, words })
const any: FlowStart = { kind: 'any_message' }
const starter = (flowId: string, start: FlowStart | null, connectionIds: string[] = []): Starter => ({
  flowId,
  start,
  connectionIds,
})

describe('flows that a message sets off together', () => {
  it.each<[string, Starter, Starter[], unknown]>([
    ['the more specific trigger wins', starter('a', word('contains', 'bolo')), [starter('b', any)], ['b this trigger']],
    [
      'and loses to a more specific one',
      starter('a', any),
      [starter('b', { kind: 'first_contact' })],
      ['b other trigger'],
    ],
    ['a new flow comes last', starter('a', any), [starter('b', any)], ['b other order']],
    ['the order decides', starter('a', any), [starter('a', any), starter('b', any)], ['b this order']],
    [
      'words meet where one is in the other',
      starter('a', word('contains', 'Bolo')),
      [starter('b', word('equals', 'bolo de nozes'))],
      ['b other order'],
    ],
    ['other words do not', starter('a', word('contains', 'bolo')), [starter('b', word('contains', 'pão'))], []],
    [
      'nor whole words in which one begins',
      starter('a', word('contains', 'bolo')),
      [starter('b', word('equals', 'bolos'))],
      [],
    ],
    ['nor do other numbers', starter('a', any, ['x']), [starter('b', any, ['y'])], []],
    ['nor labels and messages', starter('a', any), [starter('b', { kind: 'label_set', labelId: null })], []],
    ['nor what is off', starter('a', any), [starter('b', null)], []],
  ])('%s', (_, flow, others, expected) => {
    expect(meetingsOf(flow, others).map(({ flowId, winner, by }) => `${flowId} ${winner} ${by}`)).toEqual(expected)
  })

  it('have the winner that a real message has', () => {
    const start = fc.constantFrom<FlowStart>(
      ...[any, { kind: 'first_contact' } as const, { kind: 'out_of_hours' } as const],
      ...[word('contains', 'bolo'), word('equals', 'bolo'), word('contains', 'quero bolo')],
    )
    const flow = fc.record({ start, line: fc.constantFrom(null, 'x', 'y') })
    fc.assert(
      fc.property(fc.array(flow, { minLength: 2, maxLength: 5 }), fc.nat(4), (flows, nth) => {
        const all = flows.map(({ start, line }, index) => starter(`${index}`, start, line === null ? [] : [line]))
        const one = all[nth % all.length]
        if (!one) return
        for (const { flowId, winner } of meetingsOf(one, all)) {
          const pair = all.filter((each) => each.flowId === flowId || each.flowId === one.flowId)
          const candidates = pair.map(({ flowId, start, connectionIds }) => ({
            flowId,
            version: 1,
            document: flowOf([nodeOf('t', 'trigger', { start: start ?? any })], [], {
              connectionIds: [...connectionIds],
            }),
          }))
          const lines = pair.flatMap(({ connectionIds }) => connectionIds)
          const now = '2026-11-27T12:00:00.000Z'
          const chosen = flowSetOffBy(
            {
              ...{ now, writtenAt: now, connectionId: lines[0] ?? 'x', candidates, text: 'quero bolo' },
              ...{ isFirst: true, isOutOfHours: true, defaultFlowId: null },
            },
            noRuns,
          )
          const isWhole = pair.some(({ start }) => start?.kind === 'keyword' && start.match === 'equals')
          // 'quero bolo' is not the whole word.
          if (!isWhole) expect(chosen?.flow.flowId).toBe(winner === 'this' ? one.flowId : flowId)
        }
      }),
      { numRuns: 1000 },
    )
  })
})
