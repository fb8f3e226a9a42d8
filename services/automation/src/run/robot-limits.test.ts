import { deriveId } from '@prosa/kernel/derive-id'
import { describe, expect, it } from 'vitest'
import { foldRuns, noRuns } from './flow-run-state.ts'
import { countedWith, limitWindowSeconds } from './recent-flows.ts'
import { conversationWith } from './testing/conversation-with.ts'
import { asks, begins, flowOf, nodeOf, rowOf, says, waits } from './testing/flow-of.ts'

const flow = deriveId('a flow')
const other = deriveId('another flow')
const label = deriveId('a label')
const limits = { starts: 10, messages: 30 }

const many = (count: number, prefix = 'm') => Array.from({ length: count }, (_, index) => says(`${prefix}${index}`))

const reply = { [flow]: rowOf([begins, says('hi', 'Olá!')]) }
const talkative = {
  [flow]: flowOf([begins, asks('q'), ...many(2)], ['start > q', 'q answer > m0', 'm0 > m1', 'm1 > q']),
}

const pauses = ({ events }: Pick<ReturnType<typeof conversationWith>, 'events'>) =>
  events.flatMap(({ type, data }) => (type === 'FlowsPaused' ? data : []))

const movedTo = (
  survivor: ReturnType<typeof conversationWith>,
  absorbed: ReturnType<typeof conversationWith>,
  at = survivor.now(),
) => {
  absorbed.give({ type: 'MoveRunsAway', data: { to: 'survivor' } })
  const { moved, recent, paused } = absorbed.state()
  const runs = moved.map(({ run }) => run)
  const taken = { from: 'absorbed', runs, at, recent, paused, botPause: null, limits, handedOverAt: null }
  return survivor.give({ type: 'TakeRunsOver', data: taken })
}

describe('two robots that answer each other', () => {
  it('come to rest after ten starts each, however long they would go on', () => {
    const sides = [conversationWith(reply), conversationWith(reply)]
    const heard = [0, 0]
    sides[0]?.writes('oi')
    for (let round = 0; round < 500; round++) {
      const [from, to] = [sides[round % 2], sides[(round + 1) % 2]]
      const next = from?.sent()[heard[round % 2] ?? 0]
      if (next === undefined) break
      heard[round % 2] = (heard[round % 2] ?? 0) + 1
      for (const side of sides) side.passes(0.35)
      to?.writes(next)
    }
    for (const side of sides) expect(side.sent().length).toBeLessThanOrEqual(10)
    const paused = sides.filter((side) => side.state().paused !== null)
    expect(paused).toHaveLength(1)
    expect(paused.flatMap(pauses)).toMatchObject([
      { reason: 'starts', starts: 10, messages: 10, withinSeconds: 600, runId: null },
    ])
  })

  it('come to rest after thirty messages where one run asks and asks', () => {
    const ana = conversationWith(talkative)
    ana.writes('oi')
    for (let each = 0; each < 100; each++) {
      ana.passes(1)
      ana.writes('Olá!')
    }
    expect(ana.sent().length).toBe(30)
    expect(ana.ends()).toEqual(['possible_robot'])
    expect(pauses(ana)).toMatchObject([{ reason: 'messages', messages: 30, runId: ana.started()[0]?.runId }])
  })

  it('start nothing by a label either, nor by anything else that is written, until a person lets flows go on', () => {
    const start = nodeOf('start', 'trigger', { start: { kind: 'label_set', labelId: label } })
    const ana = conversationWith({ ...reply, [other]: rowOf([start, says('vip')]) })
    for (let each = 0; each < 30; each++) ana.writes('oi')
    expect(ana.isLabelled(label)).toEqual([])
    ana.passes(limitWindowSeconds * 50)
    expect(ana.writes('oi')).toEqual([])
    expect(ana.started()).toHaveLength(10)
    ana.give({ type: 'ResumeFlows', data: { at: ana.now(), isFinished: true } })
    expect(ana.give({ type: 'ResumeFlows', data: { at: ana.now(), isFinished: true } })).toEqual([])
    ana.writes('oi')
    ana.isLabelled(label)
    expect(ana.started()).toHaveLength(12)
  })

  it('have their ten starts anew once a person lets flows go on, in that very moment', () => {
    const ana = conversationWith(reply)
    for (let each = 0; each < 11; each++) ana.writes('oi')
    ana.give({ type: 'ResumeFlows', data: { at: ana.now(), isFinished: true } })
    for (let each = 0; each < 11; each++) ana.writes('oi')
    expect(ana.started()).toHaveLength(20)
    expect(pauses(ana)).toHaveLength(2)
  })
})

describe('the limit of starts', () => {
  it('counts labels too, and the label or the message that was refused starts nothing later', () => {
    const start = nodeOf('start', 'trigger', { start: { kind: 'label_set', labelId: label } })
    const ana = conversationWith({ [flow]: rowOf([start, says('vip')]) })
    for (let each = 0; each < 11; each++) ana.isLabelled(label, `label ${each}`)
    expect(ana.started()).toHaveLength(10)
    expect(pauses(ana)).toMatchObject([{ reason: 'starts', occasion: 'label 10' }])
    ana.give({ type: 'ResumeFlows', data: { at: ana.now(), isFinished: true } })
    expect(ana.isLabelled(label, 'label 10')).toEqual([])
    expect(ana.isLabelled(label, 'label 3')).toEqual([])
    const bia = conversationWith(reply)
    for (let each = 0; each < 11; each++) bia.writes('oi', { messageId: `B${each}` })
    bia.give({ type: 'ResumeFlows', data: { at: bia.now(), isFinished: true } })
    expect(bia.writes('oi', { messageId: 'B10' })).toEqual([])
    expect(bia.writes('oi', { messageId: 'B11' })).not.toEqual([])
  })

  it('looks back over ten minutes: to the millisecond', () => {
    const fill = () => {
      const ana = conversationWith(reply)
      for (let each = 0; each < 10; each++) ana.writes('oi')
      return ana
    }
    const [early, exact] = [fill(), fill()]
    early.passes(limitWindowSeconds - 0.001)
    early.writes('oi')
    expect(early.started()).toHaveLength(10)
    expect(pauses(early)).toHaveLength(1)
    exact.passes(limitWindowSeconds)
    exact.writes('oi')
    expect(exact.started()).toHaveLength(11)
    expect(pauses(exact)).toEqual([])
  })

  it('lets a customer go round in menus: what a run goes on into is no start', () => {
    const menu = flowOf([begins, asks('q'), nodeOf('on', 'flow', { flowId: other })], ['start > q', 'q answer > on'])
    const back = flowOf(
      [nodeOf('start', 'trigger', { enabled: false }), asks('r'), nodeOf('on', 'flow', { flowId: flow })],
      ['start > r', 'r answer > on'],
    )
    const ana = conversationWith({ [flow]: menu, [other]: back })
    ana.writes('oi')
    for (let each = 0; each < 20; each++) ana.writes('1')
    expect(ana.started()).toHaveLength(21)
    expect(pauses(ana)).toEqual([])
  })

  it('is the operator’s, and counts nothing of what was recorded before there was one', () => {
    const ana = conversationWith(reply, { limits: { starts: 3, messages: 30 } })
    for (let each = 0; each < 5; each++) ana.writes('oi')
    expect(ana.started()).toHaveLength(3)
    const old = ana.events.map((event) =>
      event.type === 'FlowRunStarted'
        ? { ...event, data: { ...event.data, startedAt: undefined } }
        : event.type === 'FlowMessageRequested'
          ? { ...event, data: { ...event.data, requestedAt: undefined } }
          : event,
    )
    const before = foldRuns(
      noRuns,
      old.filter(({ type }) => type !== 'FlowsPaused'),
    )
    expect(before).toMatchObject({ recent: { starts: [], messages: [] }, paused: null, runs: [] })
  })
})

describe('the limit of messages', () => {
  it('ends a run in the middle, and all others with the contact, also one that would go on in a week', () => {
    const rests = rowOf([
      nodeOf('start', 'trigger', { start: { kind: 'keyword', words: ['depois'], match: 'equals' } }),
      waits('rest', '604800'),
      says('later'),
    ])
    const ana = conversationWith({ [other]: rests, ...talkative })
    ana.writes('depois')
    ana.writes('oi')
    for (let each = 0; each < 20; each++) ana.writes('Olá!')
    expect(ana.sent()).toHaveLength(30)
    expect(ana.ends()).toEqual(['possible_robot', 'possible_robot'])
    ana.passes(700_000)
    expect(ana.sent()).toHaveLength(30)
    expect(ana.state().runs).toEqual([])
  })

  it('counts what a delay sends hours later at its own moment', () => {
    const ana = conversationWith({
      [flow]: rowOf([begins, ...many(15, 'a'), asks('q'), waits('rest', '7200'), ...many(15, 'b')]),
    })
    ana.writes('oi')
    ana.writes('sim')
    ana.passes(7200)
    expect(ana.sent()).toHaveLength(31)
    expect(ana.ends()).toEqual(['completed'])
  })

  it('is not passed by a step of two messages', () => {
    const file = {
      kind: 'audio',
      fileName: 'a.ogg',
      file: { id: deriveId('file'), mediaType: 'audio/ogg', bytes: 1, source: null },
    } as const
    const two = nodeOf('two', 'message', { message: 'Ouça', file })
    const ana = conversationWith(
      { [flow]: flowOf([begins, asks('q'), two], ['start > q', 'q answer > two', 'two > q']) },
      { limits: { starts: 10, messages: 5 } },
    )
    ana.writes('oi')
    for (let each = 0; each < 5; each++) ana.writes('sim')
    expect(ana.sent()).toHaveLength(4)
    expect(ana.ends()).toEqual(['possible_robot'])
  })
})

describe('messages without an answer', () => {
  const circle = flowOf([begins, says('hi'), waits('rest', '60')], ['start > hi', 'hi > rest', 'rest > hi'])

  it('are twenty at most, though each comes after a delay; then flows may start as before', () => {
    const ana = conversationWith({ [flow]: circle })
    ana.writes('oi')
    ana.passes(100_000)
    expect(ana.sent()).toHaveLength(20)
    expect(ana.ends()).toEqual(['unanswered'])
    expect(pauses(ana)).toEqual([])
    ana.writes('oi')
    expect(ana.started()).toHaveLength(2)
  })

  it('are counted on where a run goes on into another flow', () => {
    const on = (flowId: string) => rowOf([begins, says('hi'), waits('rest', '60'), nodeOf('on', 'flow', { flowId })])
    const ana = conversationWith({ [flow]: on(other), [other]: on(flow) })
    ana.writes('oi')
    ana.passes(100_000)
    expect(ana.sent()).toHaveLength(20)
    expect(ana.ends().at(-1)).toBe('unanswered')
  })

  it('are counted anew from whatever the contact writes, also where no run asked', () => {
    const ana = conversationWith({ [flow]: circle })
    ana.writes('oi')
    ana.passes(600)
    ana.writes('pare', { candidates: [] })
    ana.passes(100_000)
    expect(ana.sent()).toHaveLength(11 + 20)
  })

  it('of a question whose time-out leads back to it come to an end too', () => {
    const asking = nodeOf('q', 'question', { question: 'Oi?', variable: 'q', timeoutSeconds: 3600 })
    const ana = conversationWith({ [flow]: flowOf([begins, asking], ['start > q', 'q timeout > q']) })
    ana.writes('oi')
    ana.passes(1_000_000)
    expect(ana.sent()).toHaveLength(20)
    expect(ana.ends()).toEqual(['unanswered'])
  })

  it('that were sent before they were counted count as well', () => {
    const ana = conversationWith({ [flow]: circle })
    ana.writes('oi')
    ana.passes(60 * 15)
    const [run] = foldRuns(
      noRuns,
      ana.events.map((event) =>
        event.type === 'FlowMessageRequested' ? { ...event, data: { ...event.data, requestedAt: undefined } } : event,
      ),
    ).runs
    expect(run?.unanswered).toBe(16)
  })
})

describe('a merge', () => {
  it('leaves one allowance for both: what was counted with either counts with the survivor', () => {
    const [survivor, absorbed] = [conversationWith(reply), conversationWith(reply)]
    for (let each = 0; each < 6; each++) {
      survivor.writes('oi', { messageId: `S${each}` })
      absorbed.writes('oi', { messageId: `A${each}` })
    }
    const { recent } = absorbed.state()
    const own = { ...recent, starts: recent.starts.map(({ id, at }) => ({ id: `of absorbed ${id}`, at })) }
    const taken = {
      type: 'TakeRunsOver',
      data: {
        from: 'absorbed',
        runs: [],
        at: survivor.now(),
        recent: own,
        paused: null,
        botPause: null,
        limits,
        handedOverAt: null,
      },
    } as const
    expect(survivor.give(taken).map(({ type }) => type)).toEqual(['FlowCountsTakenOver', 'FlowsPaused'])
    expect(pauses(survivor)).toMatchObject([{ reason: 'starts', starts: 12 }])
    expect(survivor.give(taken)).toEqual([])
  })

  it('counts nothing twice, however often it is handed in, and leaves what is left', () => {
    const [survivor, absorbed] = [conversationWith(reply), conversationWith(reply)]
    for (let each = 0; each < 6; each++) absorbed.writes('oi', { messageId: `A${each}` })
    expect(movedTo(survivor, absorbed).map(({ type }) => type)).toEqual(['FlowCountsTakenOver'])
    expect(movedTo(survivor, absorbed)).toEqual([])
    for (let each = 0; each < 6; each++) survivor.writes('oi', { messageId: `S${each}` })
    expect(survivor.started()).toHaveLength(4)
    expect(pauses(survivor)).toMatchObject([{ reason: 'starts', starts: 10 }])
  })

  it('takes a pause along, and ends what the survivor has running', () => {
    const [survivor, absorbed] = [conversationWith(talkative), conversationWith(reply)]
    survivor.writes('oi')
    for (let each = 0; each < 11; each++) absorbed.writes('oi', { messageId: `A${each}` })
    movedTo(survivor, absorbed)
    expect(survivor.ends()).toEqual(['possible_robot'])
    expect(survivor.state().paused).toMatchObject({ reason: 'starts', starts: 10 })
    expect(survivor.writes('oi')).toEqual([])
    survivor.passes(1)
    survivor.give({ type: 'ResumeFlows', data: { at: survivor.now(), isFinished: true } })
    expect(movedTo(survivor, absorbed)).toEqual([])
    survivor.writes('oi')
    expect(survivor.started()).toHaveLength(2)
  })

  it('ends runs that come to a contact whose flows are paused', () => {
    const [survivor, absorbed] = [conversationWith(reply), conversationWith(talkative)]
    for (let each = 0; each < 11; each++) survivor.writes('oi', { messageId: `S${each}` })
    absorbed.writes('oi', { messageId: 'A' })
    movedTo(survivor, absorbed)
    expect(survivor.ends().at(-1)).toBe('possible_robot')
    expect(survivor.state().runs).toEqual([])
  })

  it('takes the messages without an answer along, also of runs that were moved before they were counted', () => {
    const circle = flowOf([begins, says('hi'), waits('rest', '60')], ['start > hi', 'hi > rest', 'rest > hi'])
    const [survivor, absorbed] = [conversationWith({ [flow]: circle }), conversationWith({ [flow]: circle })]
    absorbed.writes('oi')
    absorbed.passes(60 * 11)
    survivor.passes(60 * 11)
    movedTo(survivor, absorbed)
    survivor.passes(100_000)
    expect(survivor.sent()).toHaveLength(8)
    expect(survivor.ends()).toEqual(['unanswered'])
    const [run] = absorbed.state().moved.map(({ run: { unanswered: _, ...old } }) => old)
    const state = foldRuns(noRuns, [
      {
        type: 'FlowRunTakenOver',
        data: { runId: run?.runId ?? '', flowId: flow, version: 1, from: 'absorbed', state: JSON.stringify(run) },
      },
    ])
    expect(state.runs[0]?.unanswered).toBe(0)
  })
})

describe('an erasure', () => {
  it('leaves nothing of what was counted, and nothing starts after it', () => {
    const ana = conversationWith(talkative)
    ana.writes('oi')
    ana.give({ type: 'EndRuns', data: { at: ana.now(), reason: 'contact_erased' } })
    expect(ana.state()).toMatchObject({ recent: { starts: [], messages: [] }, paused: null })
    expect(ana.give({ type: 'ResumeFlows', data: { at: ana.now(), isFinished: true } })).toEqual([])
    expect(ana.writes('oi')).toEqual([])
  })
})

describe('what is counted', () => {
  it('stays as small as what happens in ten minutes', () => {
    let counted = countedWith([], [])
    for (let minute = 0; minute < 1000; minute++) {
      const at = new Date(Date.parse('2026-11-25T12:00:00.000Z') + minute * 60_000).toISOString()
      counted = countedWith(counted, [{ id: `M${minute}`, at }])
    }
    expect(counted.map(({ id }) => id)).toEqual(Array.from({ length: 10 }, (_, index) => `M${990 + index}`))
  })

  it('loses nothing to a late event, and counts one that comes twice once', () => {
    const at = (minute: number) => `2026-11-25T12:0${minute}:00.000Z`
    const known = [
      { id: 'A', at: at(5) },
      { id: 'B', at: at(6) },
    ]
    expect(countedWith(known, [{ id: 'late', at: at(1) }])).toHaveLength(3)
    expect(countedWith(known, [{ id: 'A', at: at(5) }])).toEqual(known)
  })
})
