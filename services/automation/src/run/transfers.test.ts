import { deriveId } from '@prosa/kernel/derive-id'
import { shortestSlices } from '@prosa/kernel/testing/time-slices'
import { describe, expect, it } from 'vitest'
import { type FlowRunEvent, foldRuns, noRuns, type Run } from './flow-run-state.ts'
import { playTest } from './replay/play-test.ts'
import { conversationWith, libraryOf } from './testing/conversation-with.ts'
import { begins, flowOf, nodeOf, rowOf, says } from './testing/flow-of.ts'

const flow = deriveId('a flow')
const other = deriveId('another flow')
const label = deriveId('a label')
const limits = { starts: 10, messages: 30 }

const on = (start: Parameters<typeof nodeOf<'trigger'>>[2]) => nodeOf('start', 'trigger', start)
const byWord = (word: string) => on({ start: { kind: 'keyword', words: [word], match: 'contains' } })
const calls = nodeOf('person', 'handover', { message: 'Já chamo alguém.' })
const handing = rowOf([begins, says('hi', 'Olá!'), calls])

type Conversation = ReturnType<typeof conversationWith>

const finishes = (person: Conversation) =>
  person.give({ type: 'ResumeFlows', data: { at: person.now(), isFinished: true } })
const withheld = ({ events }: Conversation) =>
  events.flatMap(({ type, data }) => (type === 'FlowStartWithheld' ? data : []))

const waiting = (more: Parameters<typeof conversationWith>[0] = {}) => {
  const person = conversationWith({ [flow]: handing, ...more })
  person.writes('oi')
  expect(person.ends()).toEqual(['handed_over'])
  return person
}

describe('whoever was handed over to a person', () => {
  it('is greeted by nothing until the conversation was finished, however often they write and however long it takes', () => {
    const ana = waiting()
    ana.writes('Alô?')
    ana.passes(3 * 86_400)
    ana.writes('Tem alguém aí?')
    expect(ana.started()).toHaveLength(1)
    expect(ana.sent()).toEqual(['Olá!', 'Já chamo alguém.'])
    ana.passes(1)
    finishes(ana)
    ana.passes(1)
    ana.writes('oi')
    expect(ana.started()).toHaveLength(2)
  })

  it('starts no other flow: by a word, closed hours, a first contact, a label, or the default', () => {
    const start = (kind: 'out_of_hours' | 'first_contact') => on({ start: { kind } })
    const labelled = on({ start: { kind: 'label_set', labelId: label } })
    const ana = waiting({
      [deriveId('word')]: rowOf([byWord('preço'), says('hi', 'R$ 10')]),
      [deriveId('closed')]: rowOf([start('out_of_hours'), says('hi', 'Fechado')]),
      [deriveId('first')]: rowOf([start('first_contact'), says('hi', 'Prazer')]),
      [deriveId('label')]: rowOf([labelled, says('hi', 'Clube')]),
      [other]: rowOf([on({ enabled: true }), says('hi', 'Padrão')]),
    })
    ana.writes('preço?', { isOutOfHours: true, isFirst: true, defaultFlowId: other })
    ana.isLabelled(label)
    expect(ana.started()).toHaveLength(1)
  })

  it('is not spoken to by what ran beside: a question and a rest end with the transfer', () => {
    const ana = conversationWith({
      [other]: rowOf([byWord('bolo'), nodeOf('rest', 'delay', { delay: '604800' }), says('hi', 'E o bolo?')]),
      [flow]: rowOf([byWord('pessoa'), calls]),
    })
    ana.writes('bolo')
    ana.writes('uma pessoa, por favor')
    expect(ana.ends()).toEqual(['handed_over', 'waits_for_person'])
    ana.passes(700_000)
    expect(ana.sent()).toEqual(['Já chamo alguém.'])
  })

  it('has it recorded once for each wait that a flow did not start, with since when', () => {
    const ana = waiting()
    const since = ana.now()
    ana.passes(60)
    for (const messageId of ['A', 'B', 'C', 'A']) ana.writes('Alô?', { messageId })
    expect(withheld(ana)).toEqual([{ flowId: flow, occasion: 'A', handedOverAt: since }])
    finishes(ana)
    ana.passes(1)
    ana.writes('oi')
    ana.writes('Alô?')
    expect(withheld(ana)).toHaveLength(2)
  })

  it('has nothing recorded where nothing would have started', () => {
    const ana = conversationWith({ [flow]: rowOf([byWord('pessoa'), calls]) })
    ana.writes('pessoa')
    expect(ana.writes('Alô?')).toEqual([])
  })

  it('gets no flow by what they wrote before the end of the wait, also where it is handed in once more', () => {
    const ana = waiting()
    ana.passes(1)
    const written = { messageId: 'LATE', writtenAt: ana.now() }
    ana.writes('Alô?')
    ana.writes('Alô??', written)
    ana.passes(5)
    finishes(ana)
    expect(ana.writes('Alô??', written)).toEqual([])
    ana.passes(1)
    ana.writes('oi')
    expect(ana.started()).toHaveLength(2)
  })

  it('waits on though somebody says that it is no robot, or separates it from another contact', () => {
    const ana = waiting()
    expect(ana.give({ type: 'ResumeFlows', data: { at: ana.now(), isFinished: false } })).toEqual([])
    ana.writes('Alô?')
    expect(ana.started()).toHaveLength(1)
  })

  it('waits on where flows had paused as with a robot and somebody lets them go on; finishing ends both', () => {
    const circle = flowOf([byWord('oi'), says('hi', 'Olá!')], ['start > hi'])
    const ana = conversationWith({ [other]: circle, [flow]: rowOf([byWord('pessoa'), calls]) })
    for (let each = 0; each < 9; each++) ana.writes('oi')
    ana.writes('pessoa')
    for (let each = 0; each < 5; each++) ana.writes('oi')
    expect(ana.state().paused).toBeNull()
    const from = conversationWith({ [other]: circle })
    for (let each = 0; each < 11; each++) from.writes('oi')
    const { recent, paused } = from.state()
    const at = ana.now()
    ana.give({
      type: 'TakeRunsOver',
      data: { from: 'other', runs: [], at, recent, paused, botPause: null, limits, handedOverAt: null },
    })
    expect(ana.state()).toMatchObject({ paused: { reason: 'starts' }, handedOver: {} })
    ana.passes(1)
    ana.give({ type: 'ResumeFlows', data: { at: ana.now(), isFinished: false } })
    expect(ana.state()).toMatchObject({ paused: null, handedOver: {} })
    expect(finishes(ana)).toEqual([{ type: 'FlowsResumed', data: { resumedAt: ana.now(), isFinished: true } }])
    expect(finishes(ana)).toEqual([])
  })

  it('that is erased waits for nobody any more', () => {
    const ana = waiting({ [other]: rowOf([byWord('nunca'), says('hi', 'Oi')]) })
    const state = foldRuns(ana.state(), [
      {
        type: 'FlowRunEnded',
        data: { runId: deriveId('r'), flowId: flow, version: 1, endedAt: ana.now(), reason: 'contact_erased' },
      },
    ])
    expect(state.handedOver).toBeNull()
  })
})

describe('a merge', () => {
  const takes = (survivor: Conversation, handedOverAt: string | null, runs: readonly Run[] = []) => {
    const nothing = { recent: { starts: [], messages: [] }, paused: null, botPause: null, limits }
    return survivor.give({
      type: 'TakeRunsOver',
      data: { from: 'absorbed', runs, at: survivor.now(), handedOverAt, ...nothing },
    })
  }
  const asking = rowOf([byWord('oi'), nodeOf('q', 'question', { question: 'Que sabor?', variable: 'q' })])

  it('makes the survivor wait, once, and ends what runs with it', () => {
    const bia = conversationWith({ [flow]: asking })
    bia.writes('oi')
    const mergedAt = bia.now()
    takes(bia, mergedAt)
    expect(bia.ends()).toEqual(['waits_for_person'])
    expect(takes(bia, mergedAt)).toEqual([])
    bia.writes('oi')
    expect(bia.started()).toHaveLength(1)
  })

  it('makes it wait where its own conversation was finished before, whatever the clock of who finished it showed', () => {
    const bia = waiting()
    const mergedAt = bia.now()
    bia.passes(60)
    finishes(bia)
    takes(bia, mergedAt)
    expect(bia.state().handedOver).not.toBeNull()
    bia.writes('oi')
    expect(bia.started()).toHaveLength(1)
  })

  it('ends runs that come to somebody who waits', () => {
    const [ana, bia] = [conversationWith({ [other]: asking }), waiting()]
    ana.writes('oi')
    takes(bia, null, ana.state().runs)
    expect(bia.state().runs).toEqual([])
    expect(bia.ends()).toEqual(['handed_over', 'waits_for_person'])
  })
})

describe('what was recorded before flows waited', () => {
  const run = { runId: deriveId('old'), flowId: flow, version: 1 }
  const startedAt = '2026-11-20T12:00:00.000Z'
  const started: FlowRunEvent = {
    type: 'FlowRunStarted',
    data: { ...run, connectionId: deriveId('line'), startedBy: 'any_message', startMessageId: 'OLD', text: 'oi' },
  }
  const handed: FlowRunEvent = { type: 'FlowRunEnded', data: { ...run, endedAt: startedAt, reason: 'handed_over' } }

  it('is a wait, and is over where a flow started all the same', () => {
    expect(foldRuns(noRuns, [started, handed]).handedOver).toEqual({ at: startedAt, isNoted: false })
    const again = { ...started, data: { ...started.data, runId: deriveId('next'), startMessageId: 'NEXT' } }
    expect(foldRuns(noRuns, [started, handed, again as FlowRunEvent]).handedOver).toBeNull()
  })

  it('stays a wait where flows only went on with who was no robot', () => {
    const resumed: FlowRunEvent = { type: 'FlowsResumed', data: { resumedAt: '2026-11-21T12:00:00.000Z' } }
    expect(foldRuns(noRuns, [started, handed, resumed]).handedOver).not.toBeNull()
  })
})

describe('a test of a draft', () => {
  it('starts nothing after the transfer, as a real conversation', async () => {
    const facts = {
      ...{
        today: '2026-11-23',
        fields: new Map(),
        fieldValues: {},
        isOpen: true,
        labelIds: [],
        labels: new Set<string>(),
        firstName: 'Ana',
        company: 'Padaria Sol',
      },
      limits: { starts: Number.POSITIVE_INFINITY, messages: Number.POSITIVE_INFINITY },
    }
    const scene = {
      ...{ flowId: flow, document: handing, library: libraryOf({ [flow]: handing }), now: '2026-11-25T12:00:00.000Z' },
      contact: { name: 'Ana', isNew: true, labelIds: [] },
      factsAt: (now: string) => ({ ...facts, now }),
    }
    const inputs = ['oi', 'Alô?', 'oi'].map((text) => ({ kind: 'message' as const, text }))
    const { steps } = await playTest(scene, inputs, shortestSlices)
    expect(new Set(steps.map(({ at }) => at))).toEqual(new Set([1]))
    expect(steps.at(-1)?.step).toMatchObject({ kind: 'ended', reason: 'handed_over' })
  })
})

describe('a label that was deleted after the flow was published', () => {
  const tags = nodeOf('tag', 'label', { labelId: label })
  const parts = nodeOf('if', 'condition', { test: { kind: 'label', labelId: label } })
  const document = flowOf(
    [begins, tags, parts, says('yes', 'Tem'), says('no', 'Não tem')],
    ['start > tag', 'tag > if', 'if true > yes', 'if false > no'],
  )

  it('is put on nobody: the step says so and the run goes on', () => {
    const ana = conversationWith({ [flow]: document }, { labels: new Set() })
    ana.writes('oi')
    expect(ana.events.filter(({ type }) => type === 'FlowLabelRequested')).toEqual([])
    const passed = ana.events.flatMap(({ type, data }) =>
      type === 'FlowStepTaken' && data.nodeId === 'tag' ? data.skipped : [],
    )
    expect(passed).toEqual(['label_gone'])
    expect(ana.sent()).toEqual(['Não tem'])
  })

  it('says nothing of the kind of one that is there', () => {
    const ana = conversationWith({ [flow]: document })
    ana.writes('oi')
    expect(ana.events.some(({ type, data }) => type === 'FlowStepTaken' && 'skipped' in data)).toBe(false)
    expect(ana.sent()).toEqual(['Tem'])
  })
})
