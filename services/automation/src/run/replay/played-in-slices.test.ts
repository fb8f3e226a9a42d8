import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import type { FlowTestInput } from '@prosa/contracts/http/flow-runs'
import type { TimeSlice } from '@prosa/kernel/async/time-slice'
import { describe, expect, it } from 'vitest'
import { precompilePatterns } from '../../flow-problems.ts'
import { missingReferences } from '../../missing-references.ts'
import type { FlowFacts } from '../flow-facts.ts'
import { noFlowLimits } from '../recent-flows.ts'
import { libraryOf } from '../testing/conversation-with.ts'
import { nodeOf, rowOf } from '../testing/flow-of.ts'
import { draftVersion, playTest } from './play-test.ts'

const flowId = '0d4d4b5c-3e0a-4ad4-8b8e-5f3a0d7e9a33'
const row = (count: number) =>
  rowOf([
    nodeOf('start', 'trigger'),
    ...Array.from({ length: count }, (_, index) => nodeOf(`n${index}`, 'message', { message: `${index}` })),
  ])
const labels = (count: number) =>
  rowOf([
    nodeOf('start', 'trigger'),
    ...Array.from({ length: count }, (_, index) =>
      nodeOf(`n${index}`, 'label', { labelId: flowId, isLabelled: index % 2 === 0 }),
    ),
  ])

/** Always due; aborts at that slice. */
const slices = (max = Number.POSITIVE_INFINITY) => {
  const counted = { turns: 0 }
  const slice: TimeSlice = {
    isDue: () => true,
    async turn() {
      counted.turns += 1
      if (counted.turns >= max) throw new Error('over')
    },
  }
  return { slice, counted }
}

const play = (document: FlowDocument, inputs: readonly FlowTestInput[], slice: TimeSlice) => {
  const factsAt = (now: string): FlowFacts => ({
    now,
    today: '2026-11-23',
    fields: new Map(),
    fieldValues: {},
    isOpen: true,
    labelIds: [],
    labels: { has: () => true },
    firstName: 'Ana',
    company: 'Padaria',
    limits: noFlowLimits,
  })
  const contact = { name: 'Ana', isNew: true, labelIds: [] }
  const library = libraryOf({ [flowId]: document })
  const scene = { flowId, document, library, contact, factsAt, now: '2026-11-25T12:00:00.000Z' }
  return playTest(scene, inputs, slice)
}
const oi: FlowTestInput = { kind: 'message', text: 'oi' }

describe('a test of a flow', () => {
  it('lets others have their turn between any two steps, and comes to the same', async () => {
    const { slice, counted } = slices()
    const inTurns = await play(labels(150), [oi, oi], slice)
    expect(counted.turns).toBeGreaterThan(300)
    expect(inTurns).toEqual(await play(labels(150), [oi, oi], { isDue: () => false, turn: async () => undefined }))
    expect(inTurns.steps).toHaveLength(2 * (1 + 150 * 2 + 1))
    expect(draftVersion).toBe(1)
  })

  it('goes on into another flow in turns, too', async () => {
    const other = '0d4d4b5c-3e0a-4ad4-8b8e-5f3a0d7e9a44'
    const document = rowOf([nodeOf('start', 'trigger'), nodeOf('next', 'flow', { flowId: other })])
    const library = libraryOf({ [flowId]: document, [other]: row(20) })
    const factsAt = (now: string): FlowFacts => ({
      now,
      today: '2026-11-23',
      fields: new Map(),
      fieldValues: {},
      isOpen: true,
      labelIds: [],
      labels: { has: () => true },
      firstName: '',
      company: '',
      limits: noFlowLimits,
    })
    const scene = { flowId, document, library, contact: { name: '', isNew: true, labelIds: [] }, factsAt }
    const { slice, counted } = slices()
    const { steps } = await playTest({ ...scene, now: '2026-11-25T12:00:00.000Z' }, [oi], slice)
    expect(steps.filter(({ step }) => step.kind === 'message')).toHaveLength(20)
    expect(counted.turns).toBeGreaterThan(20)
  })

  it('ends in the middle of an answer where its time is over', async () => {
    const { slice, counted } = slices(40)
    await expect(play(labels(150), [oi], slice)).rejects.toThrow('over')
    expect(counted.turns).toBe(40)
  })
})

describe('what is looked at before a flow is published', () => {
  const patterns = Array.from({ length: 40 }, (_, index) => `pattern ${index}`)
  const conditions = rowOf([
    nodeOf('start', 'trigger'),
    ...[...patterns, ...patterns].map((pattern, index) =>
      nodeOf(`c${index}`, 'condition', { test: { kind: 'matches', variable: 'resposta', pattern } }),
    ),
  ])

  it('are its patterns, one for each turn, each once', async () => {
    const { slice, counted } = slices()
    await precompilePatterns(conditions, slice)
    expect(counted.turns).toBe(40)
  })

  it('are the flows that it leads to, each once however often it is named', async () => {
    const loaded: string[] = []
    const load = async (id: string) => {
      loaded.push(id)
      return { status: id === flowId ? 'standing' : 'none' }
    }
    const deps = { flows: { load }, labels: { load } } as unknown as Parameters<typeof missingReferences>[0]
    const gone = '0d4d4b5c-3e0a-4ad4-8b8e-5f3a0d7e9a55'
    const nodes = Array.from({ length: 60 }, (_, index) =>
      nodeOf(`f${index}`, 'flow', { flowId: index % 2 === 0 ? flowId : gone }),
    )
    const { slice, counted } = slices()
    const problems = await missingReferences(deps, 'owner', rowOf([nodeOf('start', 'trigger'), ...nodes]), slice)
    expect(problems).toHaveLength(30)
    expect(loaded).toEqual([flowId, gone])
    expect(counted.turns).toBe(61)
  })
})
