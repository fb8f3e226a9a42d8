import { randomUUID } from 'node:crypto'
import { isTransient } from '@prosa/kernel/consumers/engine/failure'
import { beginning } from '@prosa/kernel/event-store/port'
import type { Ports } from '@prosa/kernel/ports'
import { expect, it } from 'vitest'
import { knownFlows } from './known-flows.ts'

it('that lag behind the log keep whoever needs them all waiting, however long, and park nothing', async () => {
  const readModels = { reached: async () => false } as Partial<Ports['readModels']> as Ports['readModels']
  const flows = knownFlows({ pool: {} as Ports['pool'], readModels })
  flows.note(randomUUID(), beginning)
  const error = await flows.requireUpTo(beginning).catch((thrown: unknown) => thrown)
  expect(isTransient(error)).toBe(true)
})
