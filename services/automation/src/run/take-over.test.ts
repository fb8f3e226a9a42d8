import { expect, it } from 'vitest'
import { noRuns } from './flow-run-state.ts'
import { takeOver } from './take-over.ts'

const at = '2026-11-25T12:00:00.000Z'

it('counts nothing of a merged contact that a person let pass here, up to the very moment', () => {
  const counted = (id: string, second: number) => ({ id, at: `2026-11-25T11:59:0${second}.000Z` })
  const recent = { starts: [counted('before', 1), counted('then', 2), counted('after', 3)], messages: [] }
  const limits = { starts: 10, messages: 30 }
  const taken = { from: 'absorbed', runs: [], at, recent, paused: null, botPause: null, limits, handedOverAt: null }
  expect(takeOver({ ...noRuns, resumedAt: '2026-11-25T11:59:02.000Z' }, taken)).toEqual([
    { type: 'FlowCountsTakenOver', data: { from: 'absorbed', starts: [counted('after', 3)], messages: [] } },
  ])
})
