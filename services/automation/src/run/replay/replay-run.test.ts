import { type FlowDocument, type FlowStart, type FlowTest, outputsOf } from '@prosa/contracts/flows/flow-document'
import { answerTypes } from '@prosa/contracts/values/answers/answer-type'
import type { MessageContent } from '@prosa/contracts/values/message-content'
import { deriveId } from '@prosa/kernel/derive-id'
import { eventCodec } from '@prosa/kernel/event-store/codec'
import { memoryEventStore } from '@prosa/kernel/event-store/memory'
import { noteMeasurements, shortOrLong } from '@prosa/kernel/testing/long-form'
import { shortestSlices } from '@prosa/kernel/testing/time-slices'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { FlowFacts } from '../flow-facts.ts'
import { type FlowRunEvent, type FlowRuns, foldRuns, noRuns, type Run } from '../flow-run-state.ts'
import type { FlowRunCommand } from '../flow-runs.ts'
import type { RequestReply } from '../requests/request-step.ts'
import { connectionId, contactId, libraryOf } from '../testing/conversation-with.ts'
import { flowOf, nodeOf } from '../testing/flow-of.ts'
import { fileName } from '../text/spoken-text.ts'
import { pastRunOf } from './past-run.ts'
import { playedRuns } from './played-runs.ts'
import { replayRun } from './replay-run.ts'

const rounds = shortOrLong(150, 10_000)
const tenant = deriveId('an owner')
const flows = [deriveId('one'), deriveId('two')]
const label = deriveId('a label')

const word = fc.constantFrom(
  ...[
    'oi',
    'sim',
    'não',
    'R$ 1.234,50',
    'preço',
    'x'.repeat(300),
    'Pão de Açúcar',
    '👍',
    '',
    '1',
    '2',
    '27/11',
    'amanhã',
  ],
  ...['(11) 98888-7777', '529.982.247-25', 'ana@loja.com', '31/02', '9'.repeat(40)],
)
const variable = fc.constantFrom('a', 'b', 'resposta', 'nome', 'unset')
const test: fc.Arbitrary<FlowTest> = fc.oneof(
  fc.record({ kind: fc.constantFrom('equals' as const, 'contains' as const), variable, value: word }),
  fc.record({
    kind: fc.constantFrom('equals' as const, 'contains' as const),
    variable,
    values: fc.array(word, { maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant('matches' as const),
    variable,
    pattern: fc.constantFrom('^s', '(x+x+)+y', '[', '\\d'),
  }),
  fc.record({
    kind: fc.constant('number' as const),
    variable,
    comparison: fc.constantFrom('equal' as const, 'above' as const, 'below' as const),
    value: fc.constantFrom(0, 1234.5),
  }),
  fc.record({ kind: fc.constantFrom('yes' as const, 'no' as const), variable }),
  fc.constant({ kind: 'open' as const }),
  fc.constant({ kind: 'label' as const, labelId: label }),
)

const asking = fc.oneof(
  fc.record({
    type: fc.constant('question' as const),
    variable: fc.constantFrom('a', 'b'),
    timeoutSeconds: fc.constantFrom(null, 5, 4000, 90_000),
    check: fc.option(
      fc.record({
        type: fc.constantFrom(...answerTypes),
        again: fc.constantFrom('De novo: {a}?', ''),
        attempts: fc.constantFrom(0, 1, 2),
        fieldId: fc.constantFrom(null, label, tenant),
      }),
      { nil: undefined },
    ),
  }),
  fc.record({
    type: fc.constant('menu' as const),
    options: fc.constantFrom(
      [
        { output: 'option_1' as const, label: 'Sim', words: ['oi'] },
        { output: 'option_2' as const, label: 'Não', words: ['preço'] },
      ],
      [{ output: 'option_7' as const, label: 'Pão', words: [] }],
    ),
    variable: fc.constantFrom('', 'a'),
    attempts: fc.constantFrom(0, 1, 2),
    timeoutSeconds: fc.constantFrom(null, 5, 4000),
  }),
)

/** What asks is drawn more often, since nothing else lets a conversation go on. */
const drawnNode = fc.oneof(
  fc.record({ type: fc.constant('message' as const), enabled: fc.boolean() }),
  fc.record({ type: fc.constant('delay' as const), delay: fc.constantFrom('1', '30', '61', '3600', '90000') }),
  fc.record({ type: fc.constant('condition' as const), test }),
  { weight: 4, arbitrary: asking },
  fc.record({
    type: fc.constant('request' as const),
    url: fc.constantFrom('https://api.example/', 'https://api.example/{a}?b={b}&n={nome}'),
    results: fc.constantFrom([], [{ path: 'a', variable: 'a' }]),
  }),
  fc.record({
    type: fc.constant('calculation' as const),
    expression: fc.constantFrom('{a} + 1', '{b} * {a} / ({b} - 2)', '{unset}', '10 / 3', '{resposta} - {a}'),
    variable: fc.constantFrom('a', 'b'),
    decimals: fc.constantFrom(null, 0, 2),
    fieldId: fc.constantFrom(null, label, tenant),
  }),
  fc.record({ type: fc.constant('label' as const), isLabelled: fc.boolean() }),
  fc.constant({ type: 'handover' as const }),
  fc.record({ type: fc.constant('flow' as const), flowId: fc.constantFrom(...flows, null) }),
)

const document: fc.Arbitrary<FlowDocument> = fc
  .record({
    drawn: fc.array(drawnNode, { minLength: 1, maxLength: 10 }),
    targets: fc.array(fc.nat(12), { minLength: 24, maxLength: 24 }),
    isAny: fc.boolean(),
    again: fc.constantFrom('always' as const, 'never' as const, 'after' as const),
    silenceHours: fc.constantFrom(1, 24),
  })
  .map(({ drawn, targets, isAny, again, silenceHours }) => {
    const start: FlowStart = isAny
      ? { kind: 'any_message' }
      : { kind: 'keyword', words: ['preço', 'oi'], match: 'contains' }
    const nodes = [
      nodeOf('start', 'trigger', { start }),
      ...drawn.map(({ type, ...data }, index) => {
        const words = {
          ...{ message: `${index}: {nome} {a} {resposta}`, question: `${index}?`, labelId: label },
          ...{ text: `${index} {a}`, notUnderstood: `${index}!` },
        }
        return nodeOf(`n${index}`, type, { ...words, ...data } as never)
      }),
    ]
    let drawnTargets = 0
    const links = nodes.flatMap((node) =>
      outputsOf(node).flatMap((sourceHandle) => {
        // One output in so many leads nowhere.
        const target = (targets[drawnTargets++ % targets.length] ?? 0) % (drawn.length + 1)
        if (target === drawn.length) return []
        return { id: `${node.id} ${sourceHandle}`, source: node.id, target: `n${target}`, sourceHandle }
      }),
    )
    return { nodes, links, settings: { again, againAfterHours: 1, silenceHours, connectionIds: [] } }
  })

const action = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ text: word, hasFile: fc.boolean(), ms: fc.constantFrom(1, 200, 900, 5000, 70_000) }),
  },
  { weight: 1, arbitrary: fc.record({ ms: fc.constantFrom(1000, 3_600_000, 100_000_000) }) },
  { weight: 1, arbitrary: fc.record({ isFinished: fc.constant(true), ms: fc.constantFrom(900, 5000) }) },
)
const conversation = fc.record({
  one: document,
  other: document,
  actions: fc.array(action, { minLength: 1, maxLength: 14 }),
  lateMs: fc.constantFrom(0, 1, 650),
  /** In turn; beyond the wait none comes. */
  replies: fc.array(
    fc.record({
      ms: fc.constantFrom(0, 40, 12_000, 400_000),
      failure: fc.constantFrom(null, null, 'status' as const, 'timeout' as const),
      a: word,
      isNumber: fc.boolean(),
    }),
    { minLength: 1, maxLength: 6 },
  ),
})

type Conversation = typeof conversation extends fc.Arbitrary<infer Drawn> ? Drawn : never

const began = Date.parse('2026-11-23T12:00:00.000Z')
const instantAt = (ms: number) => new Date(began + ms).toISOString()

const ownFields = new Map([
  [label, { variable: 'a', type: 'date' as const }],
  [tenant, { variable: 'b', type: 'number' as const }],
])

const factsAt = (now: string): FlowFacts => ({
  now,
  today: now.slice(0, 10),
  fields: ownFields,
  fieldValues: Math.floor(Date.parse(now) / 9_000_000) % 2 === 0 ? { [label]: '2026-11-27' } : {},
  isOpen: Math.floor(Date.parse(now) / 3_600_000) % 2 === 0,
  labelIds: Math.floor(Date.parse(now) / 7_000_000) % 2 === 0 ? [label] : [],
  labels: new Set(Math.floor(Date.parse(now) / 50_000_000) % 2 === 0 ? [label] : []),
  firstName: 'Ana',
  company: 'Padaria Sol',
  limits: { starts: 8, messages: 40 },
})

const contentOf = ({ text, hasFile }: { text: string; hasFile?: boolean }): MessageContent =>
  hasFile
    ? {
        kind: 'document',
        file: { id: label, mediaType: 'application/pdf', bytes: 1, source: null },
        fileName: 'nota.pdf',
        caption: text,
      }
    : { kind: 'text', text }

const live = async ({ one, other, actions, lateMs, replies }: Conversation) => {
  const documents = { [flows[0] ?? '']: one, [flows[1] ?? '']: other }
  const library = libraryOf(documents)
  const candidates = Object.entries(documents).map(([flowId, each]) => ({ flowId, version: 1, document: each }))
  const [store, codec, runs] = [memoryEventStore(), eventCodec(), playedRuns()]
  const revisions = new Map<string, bigint>()
  const record = async (
    stream: string,
    at: string,
    events: readonly Parameters<typeof codec.encode>[0][number]['event'][],
  ) => {
    if (events.length === 0) return
    const actor = { kind: 'system', id: 'test' } as const
    const metadata = { causationId: 'x', correlationId: 'x', actor, tenant, recordedAt: at }
    const before = revisions.get(stream)
    const named = events.map((event, index) => ({
      id: deriveId(stream, String(before), index),
      stream,
      event,
      metadata,
    }))
    const appended = await store.append(stream, before ?? 'no_stream', await codec.encode(named))
    if (!appended.ok) throw new Error('conflict')
    revisions.set(stream, appended.revision)
  }
  const log: FlowRunEvent[] = []
  const repliesBy = new Map<string, { at: string; reply: RequestReply }>()
  const give = async (at: string, command: FlowRunCommand) => {
    const events = runs.give(command)
    log.push(...events)
    for (const { type, data } of events) {
      if (type !== 'FlowRequestAsked') continue
      const { ms = 0, failure = null, a = '', isNumber = false } = replies[repliesBy.size % replies.length] ?? {}
      const values: Record<string, string> = failure === null ? { a } : {}
      const types = isNumber && failure === null ? { types: { a: 'number' as const } } : {}
      const reply = {
        status: failure === 'timeout' ? null : 200,
        failure,
        durationMs: ms,
        attempts: 1,
        values,
        ...types,
      }
      repliesBy.set(`${data.runId} ${data.step}`, { at: new Date(Date.parse(at) + ms).toISOString(), reply })
    }
    if (events.length > 0) expect(runs.give(command)).toEqual([])
    await record(`flowRun-${contactId}`, at, events)
  }
  let passed = 0
  let written = 0
  const passUntil = async (end: number) => {
    const timeOf = (until: string, { standing, runId, step }: Run) => {
      const late = new Date(Date.parse(until) + lateMs).toISOString()
      if (standing?.waitsFor !== 'reply') return late
      const comes = repliesBy.get(`${runId} ${step}`)?.at ?? late
      return comes < late ? comes : late
    }
    for (let wait = runs.nextWait(timeOf); wait && Date.parse(wait.at) - began <= end; wait = runs.nextWait(timeOf)) {
      const { runId, at } = wait
      const step = runs.state().runs.find((run) => run.runId === runId)?.step ?? 0
      const comes = repliesBy.get(`${runId} ${step}`)
      const data = { runId, facts: factsAt(at), library }
      if (comes?.at === at) await give(at, { type: 'ReceiveReply', data: { ...data, step, reply: comes.reply } })
      else await give(at, { type: 'ReachTime', data })
    }
    passed = end
  }
  for (const each of actions) {
    await passUntil(passed + each.ms)
    if ('isFinished' in each) {
      const [accepted, finished] = [instantAt(++passed), instantAt(++passed)]
      const taken = { type: 'ConversationAccepted', data: { attendantId: tenant } } as const
      await record(`contact-${contactId}`, accepted, [taken])
      await give(accepted, { type: 'EndRuns', data: { at: accepted, reason: 'accepted' } })
      await give(finished, { type: 'ResumeFlows', data: { at: finished, isFinished: true } })
    }
    if (!('text' in each)) continue
    passed += 1
    const at = instantAt(passed)
    const messageId = `M${++written}`
    const received = { messageId, connectionId, content: contentOf(each), sentAt: at }
    await record(`chat-${contactId}`, at, [{ type: 'MessageReceived', data: received }])
    const facts = factsAt(at)
    const by = { isFirst: written === 1, isOutOfHours: !facts.isOpen, defaultFlowId: null }
    const start = { connectionId, candidates, writtenAt: at, ...by }
    await give(at, {
      type: 'ReceiveInput',
      data: { contactId, messageId, text: each.text, file: fileName(contentOf(each)), facts, library, start },
    })
  }
  await passUntil(passed)
  return { store, codec, library, candidates, log, state: runs.state(), now: instantAt(passed + 1) }
}

const takenBeforeLateTimer = (): Conversation => {
  const question = nodeOf('q', 'question', { question: 'E?', timeoutSeconds: 5 })
  const nodes = [nodeOf('start', 'trigger', { start: { kind: 'any_message' } }), question, nodeOf('bye', 'message')]
  const asking = flowOf(nodes, ['start > q', 'q timeout > bye']) as Conversation['one']
  const actions: Conversation['actions'] = [
    { text: 'sim', hasFile: false, ms: 1 },
    { isFinished: true, ms: 5000 },
  ]
  return { one: asking, other: asking, actions, lateMs: 650, replies: [] }
}

const kindOf = ({ type, data }: FlowRunEvent): string => {
  if (type !== 'FlowAnswerReceived') return type
  if (data.answerType) return 'check'
  return data.value === undefined ? 'other answer' : 'menu'
}

it(`replayed, the history of a run gives the same steps, for ${rounds} random flows and conversations`, async () => {
  let replayed = 0
  let steps = 0
  const types = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(conversation, async (drawn) => {
      const lived = await live(drawn)
      const begun = lived.log.flatMap(({ type, data }) =>
        type === 'FlowRunStarted' && data.startedBy !== 'flow' ? [data] : [],
      )
      for (const { runId, flowId } of begun) {
        const flow = lived.candidates.find((each) => each.flowId === flowId)
        const past = await pastRunOf(lived, { tenant, contactId, runId, now: lived.now }, shortestSlices)
        if (!flow || !past) throw new Error('a run that is not in the log')
        const start = { isFirst: past.isFirst, isOutOfHours: !factsAt(past.startedAt).isOpen, labelId: null }
        const given = { library: lived.library, factsAt }
        const played = await replayRun({ ...past, start }, flow, given, shortestSlices)
        const history = past.history.map(({ event: { type, data } }) => ({ type, data }))
        expect(played.filter(({ data }) => 'runId' in data && data.runId === runId)).toEqual(history)
        for (const { event } of past.history) {
          const kind = kindOf(event)
          types.set(kind, (types.get(kind) ?? 0) + 1)
        }
        replayed++
        steps += history.length
      }
      const saved = (state: FlowRuns): FlowRuns => JSON.parse(JSON.stringify(state))
      expect(lived.log.reduce((state, event) => saved(foldRuns(state, [event])), noRuns)).toEqual(lived.state)
    }),
    { numRuns: rounds, examples: [[takenBeforeLateTimer()]] },
  )
  expect(replayed).toBeGreaterThan(rounds / 2)
  // A few conversations may lack one of them.
  const kinds = ['menu', 'check', 'other answer', 'FlowRequestAnswered', 'FlowValueCalculated']
  for (const kind of shortOrLong([], kinds)) expect(types.get(kind) ?? 0, kind).toBeGreaterThan(0)
  noteMeasurements('Histories of runs, replayed', {
    conversations: rounds,
    runs: replayed,
    events: steps,
    different: 0,
    choices: types.get('menu') ?? 0,
    checkedAnswers: types.get('check') ?? 0,
    otherAnswers: types.get('other answer') ?? 0,
    requests: types.get('FlowRequestAnswered') ?? 0,
    calculations: types.get('FlowValueCalculated') ?? 0,
  })
}, 1_800_000)
