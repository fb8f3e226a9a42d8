import { fold } from '@prosa/kernel/domain/decider'
import { sizeOf } from '@prosa/kernel/size-of'
import { expect, it } from 'vitest'
import { runsOfFlows } from './runs-of-flows.ts'

const run = { runId: 'r', flowId: 'f', version: 1 }

it('knows which messages flows answered last, and grows no further with those of years', () => {
  let state = runsOfFlows.initial
  for (let each = 0; each < 20_000; each++)
    state = fold(runsOfFlows, state, [
      { type: 'FlowInputKept', data: { ...run, messageId: `message ${each}`, text: 'oi' } },
    ])
  expect(state.messages).toContain('message 19999')
  expect(sizeOf(state)).toBeLessThan(100_000)
})
