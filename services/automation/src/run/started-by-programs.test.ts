import { deriveId } from '@prosa/kernel/derive-id'
import { describe, expect, it } from 'vitest'
import { flowRuns } from './flow-runs.ts'
import { connectionId, contactId, conversationWith, libraryOf } from './testing/conversation-with.ts'
import { asks, begins, nodeOf, rowOf, says, waits } from './testing/flow-of.ts'

const flow = deriveId('a flow')
const other = deriveId('another flow')
const never = nodeOf('start', 'trigger', { start: { kind: 'keyword', words: ['nunca'], match: 'equals' } })
const notice = rowOf([never, says('hi', 'Seu pedido saiu, {nome}.')])
type Flows = Parameters<typeof conversationWith>[0]

const limits = { starts: 10, messages: 30 }

/** As `start-on-request.ts` asks. */
const program = (flows: Flows) => {
  const ana = conversationWith(flows)
  const library = libraryOf(flows)
  const start = (
    flowId: string,
    occasion: string,
    over = connectionId,
    startedBy: 'program' | 'attendant' = 'program',
  ) => {
    const document = flows[flowId]
    if (!document) throw new Error('no such flow')
    const facts = {
      ...{
        now: ana.now(),
        today: '2026-11-23',
        fields: new Map(),
        fieldValues: {},
        isOpen: true,
        labelIds: [],
        labels: { has: () => true },
        firstName: 'Ana',
        company: '',
      },
      limits,
    }
    const flow = { flowId, version: 1, document }
    const data = { contactId, flow, connectionId: over, occasion, startedBy, facts, library } as const
    const decision = flowRuns.decide.StartFlow(ana.state(), data)
    if ('rejected' in decision) return decision.rejected
    if (decision.length > 0) ana.give({ type: 'StartFlow', data })
    return decision.length
  }
  return { ...ana, start }
}
const withSettings = (settings: object): Flows => ({
  [flow]: { ...notice, settings: { ...notice.settings, ...settings } },
})
const always = withSettings({ again: 'always' })

describe('a flow that a program starts', () => {
  it('begins whatever its trigger, and once for a request', () => {
    const ana = program(always)
    expect(ana.start(flow, 'A')).toBeGreaterThan(0)
    expect(ana.start(flow, 'A')).toBe(0)
    expect(ana.sent()).toEqual(['Seu pedido saiu, Ana.'])
    expect(ana.started()).toMatchObject([{ startedBy: 'program', startMessageId: null }])
  })

  it('waits for its turn: not beside itself, a question or a short delay', () => {
    const question = rowOf([begins, asks('q', 'Que sabor?')])
    const ana = program({ ...always, [other]: question })
    ana.writes('oi')
    expect(ana.start(flow, 'A')).toBe('flow_running')
    ana.writes('Nozes')
    expect(ana.start(flow, 'A')).toBeGreaterThan(0)
    const delayed = program({ ...always, [other]: rowOf([begins, waits('rest', '30'), says('x', 'Voltei.')]) })
    delayed.writes('oi')
    expect(delayed.start(flow, 'A')).toBe('flow_running')
    expect(delayed.start(other, 'B')).toBe('flow_running')
    delayed.passes(30)
    expect(delayed.start(flow, 'A')).toBeGreaterThan(0)
  })

  it('keeps to the flow’s settings: how often, and on which numbers', () => {
    const once = program(withSettings({ again: 'never' }))
    once.start(flow, 'A')
    expect(once.start(flow, 'B')).toBe('flow_ran_recently')
    const daily = program(withSettings({ again: 'after', againAfterHours: 24 }))
    daily.start(flow, 'A')
    expect(daily.start(flow, 'B')).toBe('flow_ran_recently')
    daily.passes(24 * 3600)
    expect(daily.start(flow, 'C')).toBeGreaterThan(0)
    const elsewhere = program(withSettings({ again: 'always', connectionIds: [deriveId('a line')] }))
    expect(elsewhere.start(flow, 'A')).toBe('flow_not_on_line')
  })

  it('does not start while the contact waits for a person, nor after ten starts in ten minutes', () => {
    const ana = program({ ...always, [other]: rowOf([begins, nodeOf('bye', 'handover', { message: 'Um momento.' })]) })
    ana.writes('oi')
    expect(ana.start(flow, 'A')).toBe('contact_waits_for_person')
    const busy = program(always)
    for (let each = 0; each < limits.starts; each++) expect(busy.start(flow, `run ${each}`)).toBeGreaterThan(0)
    expect(busy.start(flow, 'once more')).toBe('too_many_flow_starts')
    expect(busy.state().paused).toBeNull()
    busy.passes(600)
    expect(busy.start(flow, 'later')).toBeGreaterThan(0)
  })

  it('counts with the contact’s own starts: two robots still pause, and then no program starts one', () => {
    const ana = program({ ...always, [other]: rowOf([begins, says('hi', 'Olá!')]) })
    for (let each = 0; each < 5; each++) ana.start(flow, `run ${each}`)
    for (let each = 0; each < 6; each++) ana.writes(`oi ${each}`)
    expect(ana.state().paused).not.toBeNull()
    expect(ana.start(flow, 'more')).toBe('contact_may_be_robot')
  })
})
