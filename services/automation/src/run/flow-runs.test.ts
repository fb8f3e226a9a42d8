import type { FlowTest } from '@prosa/contracts/flows/flow-document'
import { deriveId } from '@prosa/kernel/derive-id'
import { describe, expect, it } from 'vitest'
import { maxKeptInputs } from './flow-run-state.ts'
import { noRecentFlows } from './recent-flows.ts'
import { conversationWith } from './testing/conversation-with.ts'
import { asks, begins, flowOf, nodeOf, rowOf, says, waits } from './testing/flow-of.ts'

const flow = deriveId('a flow')
const other = deriveId('another flow')
const label = deriveId('a label')

const on = (start: Parameters<typeof nodeOf<'trigger'>>[2]) => nodeOf('start', 'trigger', start)
const nothingCounted = {
  recent: noRecentFlows,
  paused: null,
  botPause: null,
  handedOverAt: null,
  limits: { starts: 10, messages: 30 },
}
const bytesOf = (events: readonly unknown[]) => Buffer.byteLength(JSON.stringify(events))
/** One append holds 1 MiB; encryption adds a third. */
const appendBytes = (1024 ** 2 * 3) / 4
const keyword = (...words: string[]) => on({ start: { kind: 'keyword', words, match: 'contains' } })

describe('a run', () => {
  it('says what the flow says, with the names filled in, and ends', () => {
    const ana = conversationWith({ [flow]: rowOf([begins, says('hi', 'Olá, {nome}! Aqui é a {empresa} {nada}.')]) })
    ana.writes('oi')
    expect(ana.sent()).toEqual(['Olá, Ana! Aqui é a Padaria Sol.'])
    expect(ana.ends()).toEqual(['completed'])
  })

  it('asks, waits for the answer, stores it and goes on', () => {
    const ana = conversationWith({
      [flow]: rowOf([begins, asks('sabor', 'Que sabor?'), says('ok', '{sabor}, anotado ({resposta}).')]),
    })
    ana.writes('oi')
    expect(ana.sent()).toEqual(['Que sabor?'])
    ana.writes('Nozes')
    expect(ana.sent()).toEqual(['Que sabor?', 'Nozes, anotado (Nozes).'])
  })

  it('takes a message once, however often it is handed in', () => {
    const ana = conversationWith({ [flow]: rowOf([begins, asks('sabor', 'Que sabor?'), asks('cor', 'Que cor?')]) })
    ana.writes('oi', { messageId: 'A' })
    ana.writes('oi', { messageId: 'A' })
    ana.writes('Nozes', { messageId: 'B' })
    expect(ana.writes('Nozes', { messageId: 'B' })).toEqual([])
    expect(ana.sent()).toEqual(['Que sabor?', 'Que cor?'])
  })

  it('rests for a delay to the second, and only once', () => {
    const ana = conversationWith({ [flow]: rowOf([begins, waits('rest', '5'), says('hi', 'Voltei.')]) })
    ana.writes('oi')
    ana.passes(4)
    expect(ana.sent()).toEqual([])
    ana.passes(1)
    ana.passes(100)
    expect(ana.sent()).toEqual(['Voltei.'])
  })

  it('keeps what is written while it rests for its next questions, in order, and no more than 50 of it', () => {
    const ana = conversationWith({
      [flow]: rowOf([begins, waits('rest', '5'), asks('um', '1?'), asks('dois', '2?'), says('hi', '{um} {dois}')]),
    })
    ana.writes('oi')
    for (let each = 1; each <= maxKeptInputs + 10; each++) ana.writes(`texto ${each}`)
    expect(ana.state().runs[0]?.kept).toHaveLength(maxKeptInputs)
    ana.passes(5)
    expect(ana.sent()).toEqual(['1?', '2?', 'texto 1 texto 2'])
  })

  it('decides no more at once than one append holds, however much was written while it rested', () => {
    const questions = Array.from({ length: 30 }, (_, index) => asks(`q${index}`, '€'.repeat(4096)))
    const document = rowOf([begins, waits('rest', '3600'), ...questions])
    const ana = conversationWith({ [flow]: document }, { limits: { starts: 1000, messages: 1000 } })
    ana.writes('oi')
    for (let each = 0; each < maxKeptInputs; each++) ana.writes(`${'€'.repeat(65_000)} ${each}`)
    expect(bytesOf(ana.state().runs)).toBeLessThan(1024 ** 2)
    const before = ana.events.length
    ana.passes(3600)
    expect(bytesOf(ana.events.slice(before))).toBeLessThan(appendBytes)
    expect(ana.ends()).toEqual(['too_many_steps'])
  })

  it('leaves a question by its time-out, and ends by silence where that leads nowhere', () => {
    const nodes = [begins, asks('sabor', 'Que sabor?', 60), says('late', 'Sem pressa!')]
    const ana = conversationWith({ [flow]: flowOf(nodes, ['start > sabor', 'sabor timeout > late']) })
    ana.writes('oi')
    ana.passes(60)
    expect(ana.sent()).toEqual(['Que sabor?', 'Sem pressa!'])
    expect(ana.ends()).toEqual(['completed'])
    const bia = conversationWith({ [flow]: rowOf([begins, asks('sabor', 'Que sabor?', 60)]) })
    bia.writes('oi')
    bia.passes(60)
    expect(bia.ends()).toEqual(['silence'])
  })

  it('leaves a question by its time-out where that ends with the hours of silence', () => {
    const nodes = [begins, asks('sabor', 'Que sabor?', 3600), says('late', 'Sem pressa!')]
    const document = flowOf(nodes, ['start > sabor', 'sabor timeout > late'])
    const ana = conversationWith({ [flow]: { ...document, settings: { ...document.settings, silenceHours: 1 } } })
    ana.writes('oi')
    ana.passes(3600)
    expect(ana.sent()).toEqual(['Que sabor?', 'Sem pressa!'])
    expect(ana.ends()).toEqual(['completed'])
  })

  it('ends after the hours of silence that the flow allows, also where a question would wait for longer', () => {
    const ana = conversationWith({
      [flow]: rowOf([begins, asks('sabor', 'Que sabor?', 7200)], { silenceHours: 1 }),
    })
    ana.writes('oi')
    ana.passes(3599)
    expect(ana.ends()).toEqual([])
    ana.passes(1)
    expect(ana.ends()).toEqual(['silence'])
    expect(ana.events.some(({ type, data }) => type === 'FlowStepTaken' && data.output === 'timeout')).toBe(false)
  })

  it('goes by the answer where a condition parts its way', () => {
    const test: FlowTest = { kind: 'yes', variable: 'quer' }
    const document = flowOf(
      [begins, asks('quer', 'Quer?'), nodeOf('if', 'condition', { test }), says('yes', 'Oba!'), says('no', 'Pena.')],
      ['start > quer', 'quer answer > if', 'if true > yes', 'if false > no'],
    )
    const ana = conversationWith({ [flow]: document })
    ana.writes('oi')
    ana.writes('Pode ser 👍')
    ana.writes('oi')
    ana.writes('acho que não')
    expect(ana.sent()).toEqual(['Quer?', 'Oba!', 'Quer?', 'Pena.'])
  })

  it('asks for a label, and counts with it at once', () => {
    const document = flowOf(
      [
        begins,
        nodeOf('tag', 'label', { labelId: label }),
        nodeOf('if', 'condition', { test: { kind: 'label', labelId: label } }),
        says('yes', 'Tem.'),
      ],
      ['start > tag', 'tag > if', 'if true > yes'],
    )
    const ana = conversationWith({ [flow]: document })
    ana.writes('oi')
    expect(ana.events.filter(({ type }) => type === 'FlowLabelRequested')).toHaveLength(1)
    expect(ana.sent()).toEqual(['Tem.'])
  })

  it('passes a message that is turned off without saying it', () => {
    const off = nodeOf('off', 'message', { message: 'Não', enabled: false })
    const ana = conversationWith({ [flow]: rowOf([begins, off, says('on', 'Sim')]) })
    ana.writes('oi')
    expect(ana.sent()).toEqual(['Sim'])
  })

  it('hands over to a person with a last word', () => {
    const ana = conversationWith({ [flow]: rowOf([begins, nodeOf('person', 'handover', { message: 'Já chamo.' })]) })
    ana.writes('oi')
    expect(ana.sent()).toEqual(['Já chamo.'])
    expect(ana.ends()).toEqual(['handed_over'])
  })

  it('goes on in another flow with what it knows, though that one starts by itself for nobody', () => {
    const first = rowOf([begins, asks('sabor', 'Que sabor?'), nodeOf('next', 'flow', { flowId: other })])
    const second = rowOf([on({ enabled: false }), says('hi', 'Então {sabor}.')])
    const ana = conversationWith({ [flow]: first, [other]: second })
    ana.writes('oi')
    ana.writes('Nozes')
    expect(ana.sent()).toEqual(['Que sabor?', 'Então Nozes.'])
    expect(ana.ends()).toEqual(['went_on', 'completed'])
  })

  it('ends where flows lead to each other without a wait, or one of them in a circle', () => {
    const first = rowOf([begins, nodeOf('next', 'flow', { flowId: other })])
    const second = rowOf([begins, nodeOf('back', 'flow', { flowId: flow })])
    const ana = conversationWith({ [flow]: first, [other]: second })
    ana.writes('oi')
    expect(ana.ends()).toEqual(['went_on', 'too_many_steps'])
    const circle = flowOf([begins, says('hi', 'Oi')], ['start > hi', 'hi > hi'])
    const bia = conversationWith({ [flow]: circle })
    bia.writes('oi')
    expect(bia.ends()).toEqual(['unanswered'])
    expect(bia.sent()).toHaveLength(20)
    const silent = nodeOf('hi', 'condition', { test: { kind: 'open' } })
    const clara = conversationWith({ [flow]: flowOf([begins, silent], ['start > hi', 'hi true > hi']) })
    clara.writes('oi')
    expect(clara.ends()).toEqual(['too_many_steps'])
  })

  it('ends a circle of waits that nobody ever answers', () => {
    const circle = flowOf([begins, waits('rest', '1')], ['start > rest', 'rest > rest'])
    const ana = conversationWith({ [flow]: circle })
    ana.writes('oi')
    ana.passes(10_000)
    expect(ana.ends()).toEqual(['too_many_steps'])
  })

  it('ends a circle of waits that leads through another flow and says nothing', () => {
    const to = (flowId: string) => [begins, waits('rest', '1'), nodeOf('next', 'flow', { flowId })]
    const ana = conversationWith({ [flow]: rowOf(to(other)), [other]: rowOf(to(flow)) })
    ana.writes('oi')
    ana.passes(3600)
    expect(ana.state().runs).toEqual([])
    expect(ana.ends().at(-1)).toBe('too_many_steps')
    expect(ana.started().length).toBeLessThanOrEqual(1000 / 3 + 1)
  })

  it('counts steps anew from an answer, also from one that was given in the flow before', () => {
    const document = (next: string) => [
      begins,
      asks('q', 'E?'),
      waits('rest', '1'),
      nodeOf('next', 'flow', { flowId: next }),
    ]
    const ana = conversationWith({ [flow]: rowOf(document(other)), [other]: rowOf(document(flow)) })
    ana.writes('oi')
    for (let each = 0; each < 400; each++) {
      ana.writes('sim')
      ana.passes(60)
    }
    expect(ana.ends().filter((reason) => reason !== 'went_on')).toEqual([])
  })

  it('counts links that the flow itself has, and none that a contact wrote', () => {
    const ana = conversationWith({
      [flow]: rowOf([begins, says('hi', 'Veja https://example.org/a. E {resposta} e https://example.org/{resposta}')]),
    })
    const events = ana.writes('https://evil.example/x')
    const links = events.flatMap(({ type, data }) => (type === 'FlowMessageRequested' ? data.links : []))
    expect(links.map(({ url }) => url)).toEqual(['https://example.org/a'])
  })
})

describe('what ends and moves runs', () => {
  const asking = { [flow]: rowOf([begins, asks('sabor', 'Que sabor?'), says('hi', '{sabor}!')]) }
  const at = '2026-11-23T13:00:00.000Z'

  it('ends what is named, and nothing twice', () => {
    const ana = conversationWith(asking)
    ana.writes('oi')
    const [run] = ana.state().runs
    expect(ana.give({ type: 'EndRuns', data: { at, reason: 'flow_deleted', flowId: other } })).toEqual([])
    expect(ana.give({ type: 'EndRuns', data: { at, reason: 'stopped', runId: run?.runId } })).toHaveLength(1)
    expect(ana.give({ type: 'EndRuns', data: { at, reason: 'accepted' } })).toEqual([])
    ana.writes('Nozes', { candidates: [] })
    ana.passes(1_000_000)
    expect(ana.sent()).toEqual(['Que sabor?'])
  })

  it('goes on with the contact into whom another was merged, where it stood', () => {
    const ana = conversationWith(asking)
    ana.writes('oi')
    ana.give({ type: 'MoveRunsAway', data: { to: 'survivor' } })
    expect(ana.give({ type: 'MoveRunsAway', data: { to: 'survivor' } })).toEqual([])
    const runs = ana.state().moved.map(({ run }) => run)
    const survivor = conversationWith(asking)
    survivor.give({ type: 'TakeRunsOver', data: { ...nothingCounted, from: 'ana', runs, at } })
    expect(survivor.give({ type: 'TakeRunsOver', data: { ...nothingCounted, from: 'ana', runs, at } })).toEqual([])
    survivor.writes('Nozes')
    expect(survivor.sent()).toEqual(['Nozes!'])
  })

  it('takes all of them along, also sixty at once', () => {
    const flows = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [
        deriveId('flow', String(index)),
        rowOf([keyword(`palavra${index}`), waits('rest', '86400'), says('hi', 'Voltei.')]),
      ]),
    )
    const [ana, survivor] = [conversationWith(flows), conversationWith(flows)]
    for (let each = 0; each < 60; each++) {
      ana.writes(`palavra${each}`)
      ana.passes(60)
    }
    expect(ana.state().runs).toHaveLength(60)
    ana.give({ type: 'MoveRunsAway', data: { to: 'survivor' } })
    const runs = ana.state().moved.map(({ run }) => run)
    survivor.give({ type: 'TakeRunsOver', data: { ...nothingCounted, from: 'ana', runs, at } })
    expect(survivor.state().runs).toHaveLength(60)
    expect(survivor.give({ type: 'TakeRunsOver', data: { ...nothingCounted, from: 'ana', runs, at } })).toEqual([])
  })

  it('takes along what fits into one append, and ends what is larger', () => {
    const questions = Array.from({ length: 60 }, (_, index) => asks(`q${index}`, `${index}?`))
    const small = rowOf([keyword('pouco'), waits('rest', '86400'), says('hi', 'Voltei.')])
    const flows = { [flow]: rowOf([keyword('muito'), ...questions]), [other]: small }
    const [ana, survivor] = [conversationWith(flows), conversationWith(flows)]
    ana.writes('pouco')
    ana.writes('muito')
    for (let each = 0; each < 50; each++) {
      ana.passes(60)
      ana.writes('€'.repeat(65_000))
    }
    expect(ana.state().runs).toHaveLength(2)
    ana.give({ type: 'MoveRunsAway', data: { to: 'survivor' } })
    const runs = ana.state().moved.map(({ run }) => run)
    const events = survivor.give({ type: 'TakeRunsOver', data: { ...nothingCounted, from: 'ana', runs, at } })
    expect(bytesOf(events)).toBeLessThan(appendBytes)
    expect(survivor.ends()).toEqual(['contact_merged'])
    expect(survivor.state().runs.map(({ flowId }) => flowId)).toEqual([other])
  })

  it('ends where the other contact is in the same flow already', () => {
    const [ana, survivor] = [conversationWith(asking), conversationWith(asking)]
    ana.writes('oi')
    survivor.writes('oi')
    ana.give({ type: 'MoveRunsAway', data: { to: 'survivor' } })
    const runs = ana.state().moved.map(({ run }) => ({ ...run, runId: deriveId('of ana') }))
    survivor.give({ type: 'TakeRunsOver', data: { ...nothingCounted, from: 'ana', runs, at } })
    expect(survivor.ends()).toEqual(['contact_merged'])
    expect(survivor.state().runs).toHaveLength(1)
  })

  it('never starts again with a contact that was erased', () => {
    const ana = conversationWith(asking)
    ana.writes('oi')
    ana.give({ type: 'EndRuns', data: { at, reason: 'contact_erased' } })
    expect(ana.writes('oi')).toEqual([])
  })
})
