import { deriveId } from '@prosa/kernel/derive-id'
import { describe, expect, it } from 'vitest'
import { flowRuns } from './flow-runs.ts'
import { noRecentFlows } from './recent-flows.ts'
import { connectionId, contactId, conversationWith, libraryOf } from './testing/conversation-with.ts'
import { asks, begins, nodeOf, rowOf, says, waits } from './testing/flow-of.ts'

const [flow, other, attendantId] = [deriveId('a flow'), deriveId('another flow'), deriveId('attendant')]
const limits = { starts: 10, messages: 30 }
const later = (at: string, seconds: number) => new Date(Date.parse(at) + seconds * 1000).toISOString()
const greeting = { [flow]: rowOf([begins, says('hi', 'Olá!')]) }

type Flows = Parameters<typeof conversationWith>[0]

const pausing = (flows: Flows) => {
  const ana = conversationWith(flows)
  const pause = (seconds: number | null) => {
    const at = ana.now()
    const until = seconds === null ? null : later(at, seconds)
    return ana.give({ type: 'PauseBot', data: { at, until, attendantId } })
  }
  const resume = () => ana.give({ type: 'ResumeBot', data: { at: ana.now(), attendantId } })
  return { ...ana, pause, resume }
}

describe('a bot that an attendant paused for a contact', () => {
  it('stops what is going on, starts nothing, and starts again once resumed', () => {
    const ana = pausing({ [flow]: rowOf([begins, asks('q', 'Que sabor?'), says('thanks', 'Obrigado!')]) })
    ana.writes('oi')
    expect(ana.pause(null).map(({ type }) => type)).toEqual(['BotPaused', 'FlowRunEnded'])
    expect(ana.ends()).toEqual(['stopped'])
    ana.writes('Nozes')
    ana.passes(7 * 24 * 3600)
    ana.writes('Alô?')
    expect(ana.sent()).toEqual(['Que sabor?'])
    expect(ana.resume().map(({ type }) => type)).toEqual(['BotResumed'])
    ana.passes(1)
    ana.writes('oi')
    expect(ana.sent()).toEqual(['Que sabor?', 'Que sabor?'])
  })

  it('is paused for so long, to the second', () => {
    const ana = pausing(greeting)
    ana.pause(3600)
    ana.passes(3599)
    ana.writes('oi')
    expect(ana.sent()).toEqual([])
    ana.passes(1)
    ana.writes('oi de novo')
    expect(ana.sent()).toEqual(['Olá!'])
    expect(ana.resume()).toEqual([])
  })

  it('is paused and resumed once, however often the button is pressed, and for longer when asked', () => {
    const ana = pausing(greeting)
    expect(ana.resume()).toEqual([])
    expect(ana.pause(null)).toHaveLength(1)
    expect(ana.pause(null)).toEqual([])
    expect(ana.pause(3600)).toHaveLength(1)
    expect(ana.pause(3600)).toEqual([])
    expect(ana.resume()).toHaveLength(1)
    expect(ana.resume()).toEqual([])
  })

  it('lets nothing that was written during the pause start a flow later, though delivered again', () => {
    const ana = pausing(greeting)
    ana.pause(null)
    const during = ana.now()
    ana.writes('oi', { messageId: 'M' })
    ana.passes(10)
    ana.resume()
    ana.writes('oi', { messageId: 'M', writtenAt: during })
    expect(ana.sent()).toEqual([])
  })

  it('starts no flow by a label either, nor on request', () => {
    const label = deriveId('label')
    const labelled = nodeOf('start', 'trigger', { start: { kind: 'label_set', labelId: label } })
    const flows = { [flow]: rowOf([labelled, says('hi', 'Olá!')]) }
    const ana = pausing(flows)
    ana.pause(3600)
    ana.isLabelled(label)
    expect(ana.sent()).toEqual([])
    const facts = {
      ...{ now: ana.now(), today: '2026-11-23', isOpen: true, labelIds: [], labels: { has: () => true } },
      ...{ fields: new Map(), fieldValues: {}, firstName: 'Ana', company: '' },
      limits,
    }
    const document = flows[flow]
    if (!document) throw new Error('no such flow')
    const asked = { contactId, flow: { flowId: flow, version: 1, document }, connectionId, occasion: 'A', facts }
    for (const startedBy of ['program', 'attendant'] as const)
      expect(flowRuns.decide.StartFlow(ana.state(), { ...asked, startedBy, library: libraryOf(flows) })).toEqual({
        rejected: 'bot_paused',
      })
  })

  it('thanks nobody whose conversation a flow finished, and lets what they write wait for a person', () => {
    const finishing = rowOf([begins, nodeOf('end', 'finish', { message: 'Pronto.', thanks: 'Até logo!' })])
    const ana = pausing({ [flow]: finishing })
    ana.writes('oi')
    ana.pause(null)
    ana.writes('obrigado')
    expect(ana.sent()).toEqual(['Pronto.'])
    expect(ana.events.at(-1)?.type).toBe('FlowFinishUndone')
  })

  it('stays paused after a merge, where runs of the other end, and keeps the longer pause', () => {
    const [ana, bia] = [
      pausing(greeting),
      pausing({ [other]: rowOf([begins, waits('rest', '300'), says('x', 'Voltei.')]) }),
    ]
    ana.pause(3600)
    bia.writes('oi')
    const take = (survivor: typeof ana, from: typeof ana) => {
      const { runs, botPause } = from.state()
      const at = survivor.now()
      const nothing = { recent: noRecentFlows, paused: null, handedOverAt: null, limits }
      return survivor.give({ type: 'TakeRunsOver', data: { from: 'absorbed', runs, at, botPause, ...nothing } })
    }
    expect(take(ana, bia).map(({ type }) => type)).toEqual(['FlowRunTakenOver', 'FlowRunEnded'])
    expect(ana.ends()).toEqual(['stopped'])
    const caio = pausing(greeting)
    expect(take(caio, ana)).toMatchObject([
      { type: 'BotPaused', data: { until: ana.state().botPause?.until, attendantId } },
    ])
    expect(take(caio, ana)).toEqual([])
    caio.pause(null)
    expect(take(caio, ana)).toEqual([])
    caio.writes('oi')
    expect(caio.sent()).toEqual([])
  })

  it('is nothing to decide about for an erased contact', () => {
    const ana = pausing(greeting)
    ana.writes('oi')
    ana.pause(null)
    ana.give({
      type: 'TakeRunsOver',
      data: {
        from: 'x',
        runs: [],
        at: ana.now(),
        recent: noRecentFlows,
        paused: null,
        botPause: null,
        handedOverAt: null,
        limits,
      },
    })
    const erased = { ...ana.state(), isErased: true }
    const data = { at: ana.now(), until: null, attendantId }
    expect(flowRuns.decide.PauseBot(erased, data)).toEqual({ rejected: 'contact_not_found' })
    expect(flowRuns.decide.ResumeBot(erased, data)).toEqual({ rejected: 'contact_not_found' })
  })
})
