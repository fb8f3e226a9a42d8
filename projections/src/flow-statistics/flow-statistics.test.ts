import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { erasedFlowDocument } from '@prosa/contracts/flows/flow-document'
import type { FlowRun, FlowRunDetail, FlowStatistics } from '@prosa/contracts/http/flow-runs'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import type { Position } from '@prosa/kernel/event-store/port'
import { shortOrLong } from '@prosa/kernel/testing/long-form'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testProjections } from '../testing/test-projections.ts'
import { randomRuns } from './testing/random-runs.ts'
import { recount } from './testing/recount.ts'

let prosa: Awaited<ReturnType<typeof testProjections>>
beforeAll(async () => {
  prosa = await testProjections({ now: () => at(9000) })
})
afterAll(() => prosa.stop())

const created: AnyEvent = {
  type: 'FlowCreated',
  data: { name: 'Boas-vindas', folderId: null, document: erasedFlowDocument, origin: 'new' },
}

it('the numbers of a flow equal a recount of the log, of whoever was not erased', async () => {
  await fc.assert(
    fc.asyncProperty(randomRuns(60), async (log) => {
      let position = ''
      const flows = new Map<string, string>()
      for (const { tenant, stream, event } of log) {
        position = await prosa.append(tenant, stream, event)
        if ('flowId' in event.data && event.data.flowId) flows.set(event.data.flowId, tenant)
      }
      for (const [flowId, tenant] of flows) position = await prosa.append(tenant, `flow-${flowId}`, created)
      await prosa.ports.readModels.reached(['flow-runs', 'flow-statistics'], position as Position, 30_000)
      for (const [flowId, tenant] of flows) {
        const { status, body } = await prosa.get(`/api/flows/${flowId}/statistics`, tenant, position)
        const { lastRunAt: _, ...counted } = body as FlowStatistics
        expect([status, counted]).toEqual([200, recount(log, flowId)])
        const { nodes: __, clickedExecutions: ___, ...summary } = counted
        const { body: summaries } = await prosa.get('/api/flow-statistics', tenant, position)
        if (summary.executions > 0)
          expect(summaries).toContainEqual({ flowId, ...summary, lastRunAt: expect.any(String) })
      }
    }),
    { numRuns: shortOrLong(12, 200), endOnFailure: true },
  )
})

describe('the runs of a flow', () => {
  const [ana, bia, flowId, connectionId] = [idOf('ana'), idOf('bia'), idOf('flow of ana'), idOf('line of ana')]
  const [rui, older] = [idOf('rui'), idOf('rui before')]
  const added = (name: string): AnyEvent => ({
    type: 'ContactAdded',
    data: { name, phone: null, lid: null, origin: 'message' },
  })
  const runOf = (name: string) => ({ runId: idOf(name), flowId, version: 2 })
  const started = (name: string): AnyEvent => ({
    type: 'FlowRunStarted',
    data: { ...runOf(name), connectionId, startedBy: 'keyword', startMessageId: 'M1', text: 'preço' },
  })
  let latest = ''
  const record = async (stream: string, ...events: AnyEvent[]) => {
    for (const event of events) latest = await prosa.append(ana, stream, event)
  }
  const runs = async (user = ana) => prosa.get(`/api/flows/${flowId}/runs`, user, latest)
  const detail = async (name: string, user = ana) => {
    await prosa.ports.readModels.reached(['contact-list'], latest as Position, 10_000)
    return prosa.get(`/api/flow-runs/${idOf(name)}`, user, latest)
  }

  it('come latest first, with whom they run and where they stand, and explain each step with its event', async () => {
    await record(`flow-${flowId}`, created)
    await record(`contact-${rui}`, added('Rui'))
    const step = { ...runOf('first'), nodeId: 'q1' }
    await record(
      `flowRun-${rui}`,
      started('first'),
      { type: 'FlowStepTaken', data: { ...step, step: 1, nodeId: 't', type: 'trigger', output: null } },
      {
        type: 'FlowMessageRequested',
        data: {
          ...{ ...step, step: 2, messageId: 'M2', connectionId, typingSeconds: 2, links: [] },
          content: { kind: 'text', text: 'De qual cidade?' },
        },
      },
      { type: 'FlowAnswerAwaited', data: { ...step, step: 2, until: at(500) } },
      started('other'),
    )
    expect((await runs()).body).toMatchObject([
      { id: idOf('other') },
      { id: idOf('first'), nodeId: 'q1', until: at(500) },
    ])
    await record(`flowRun-${rui}`, {
      type: 'FlowAnswerReceived',
      data: { ...step, step: 2, messageId: 'M3', variable: 'cidade', text: 'Natal' },
    })
    const { body } = await detail('first')
    const { steps, ...run } = body as FlowRunDetail
    expect(run).toMatchObject({ contactId: rui, contactName: 'Rui', version: 2, startedBy: 'keyword', endedAt: null })
    expect(steps.map(({ step }) => step)).toEqual([
      { kind: 'started', nodeId: 't' },
      { kind: 'passed', nodeId: 't', type: 'trigger', output: null },
      { kind: 'message', nodeId: 'q1', text: 'De qual cidade?', fileName: null, fileKind: null, typingSeconds: 2 },
      { kind: 'asked', nodeId: 'q1', until: at(500) },
      { kind: 'answered', nodeId: 'q1', variable: 'cidade', text: 'Natal' },
    ])
    expect(new Set(steps.map(({ eventId }) => eventId)).size).toBe(5)
  })

  it('go on with the contact that a merged one becomes, as one lead', async () => {
    const moved = runOf('first')
    await record(`contact-${older}`, added('Rui antigo'))
    await record(`flowRun-${older}`, started('of older'))
    await record(`contact-${rui}`, { type: 'ContactAbsorbed', data: { into: older } })
    await record(`contact-${older}`, { type: 'ContactMerged', data: { absorbed: rui } })
    await record(`flowRun-${rui}`, { type: 'FlowRunMovedAway', data: { ...moved, to: older } })
    const ended = { ...moved, endedAt: at(9), reason: 'completed' } as const
    await record(
      `flowRun-${older}`,
      { type: 'FlowRunTakenOver', data: { ...moved, from: rui, state: '{}' } },
      { type: 'FlowRunEnded', data: ended },
    )
    const { steps, ...run } = (await detail('first')).body as FlowRunDetail
    expect(run).toMatchObject({ contactId: older, contactName: 'Rui antigo', reason: 'completed' })
    expect(steps.at(-1)?.step).toEqual({ kind: 'ended', reason: 'completed', flowId: null })
    const { body } = await prosa.get('/api/flow-statistics', ana, latest)
    expect(body).toMatchObject([{ flowId, executions: 3, leads: 1, converted: 1, running: 2 }])
  })

  it('are nobody else’s', async () => {
    const foreign = await Promise.all([runs(bia), detail('first', bia), runs('')])
    expect(foreign.map(({ status }) => status)).toEqual([404, 404, 401])
    expect((await prosa.get('/api/flow-statistics', bia, latest)).body).toEqual([])
    expect((await prosa.get(`/api/flows/${flowId}/statistics`, bia, latest)).status).toBe(404)
  })

  it('go with the contact, and with the account', async () => {
    await record(`contact-${older}`, { type: 'ContactErased', data: {} })
    const left = (await runs()).body as FlowRun[]
    expect(left.map(({ id }) => id)).toEqual([idOf('other')])
    await record(`user-${ana}`, { type: 'UserErased', data: {} })
    expect((await runs()).body).toEqual([])
  })
})
