import type { FlowStart } from '@prosa/contracts/flows/flow-document'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { flowSetOffBy } from './choose-flow.ts'
import { explainedStarts } from './explained-starts.ts'
import { noRuns } from './flow-run-state.ts'
import { flowOf, nodeOf } from './testing/flow-of.ts'

const start = fc.oneof(
  fc.constantFrom<FlowStart>(
    { kind: 'any_message' },
    { kind: 'first_contact' },
    { kind: 'out_of_hours' },
    { kind: 'label_set', labelId: null },
  ),
  fc.record({
    kind: fc.constant('keyword' as const),
    words: fc.array(fc.constantFrom('bolo', 'pão', 'torta'), { maxLength: 2 }),
    match: fc.constantFrom('equals' as const, 'contains' as const),
  }),
)
const flow = fc.record({ start, enabled: fc.boolean(), line: fc.constantFrom(null, 'here', 'there') })

it('names as the answer the flow that a message starts, and one that would start alone as kept by it', () => {
  const message = fc.record({
    text: fc.constantFrom('bolo', 'quero pão', 'oi'),
    isFirst: fc.boolean(),
    isOutOfHours: fc.boolean(),
    defaultFlow: fc.nat(8),
  })
  fc.assert(
    fc.property(fc.array(flow, { maxLength: 8 }), message, (flows, { defaultFlow, ...rest }) => {
      const now = '2026-11-27T12:00:00.000Z'
      const candidates = flows.map(({ start, enabled, line }, index) => ({
        flowId: `${index}`,
        version: 1,
        document: flowOf([nodeOf('t', 'trigger', { start, enabled })], [], {
          connectionIds: line === null ? [] : [line],
        }),
      }))
      const given = { ...rest, now, writtenAt: now, connectionId: 'here', candidates, defaultFlowId: `${defaultFlow}` }
      const explained = explainedStarts(given, noRuns)
      const answers = explained.filter(({ verdict }) => verdict === 'answers').map(({ flowId }) => flowId)
      expect(answers).toEqual([flowSetOffBy(given, noRuns)?.flow.flowId].filter((id) => id !== undefined))
      for (const { flowId, verdict } of explained) {
        const alone = flowSetOffBy(
          { ...given, candidates: candidates.filter((each) => each.flowId === flowId) },
          noRuns,
        )
        expect(alone !== undefined).toBe(['answers', 'after_another', 'less_specific'].includes(verdict))
      }
    }),
    { numRuns: 2000 },
  )
})
