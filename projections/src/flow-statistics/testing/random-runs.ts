import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { FlowOutput } from '@prosa/contracts/flows/flow-document'
import { idOf } from '@prosa/kernel/consumers/testing/test-log'
import fc from 'fast-check'

export interface Recorded {
  tenant: string
  contactId: string
  stream: string
  event: AnyEvent
}

type RunEvent = Extract<AnyEvent, { data: { runId: string } }>
type EndReason = Extract<AnyEvent, { type: 'FlowRunEnded' }>['data']['reason']

const connectionId = idOf('line')
const nodeIds = ['n0', 'n1', 'n2', 'n3']
const reasons: readonly EndReason[] = ['completed', 'handed_over', 'went_on', 'accepted', 'silence', 'stopped']
const until = '2026-11-23T12:00:00.000Z'

const move = fc.record({
  tenant: fc.nat(1),
  contact: fc.nat(3),
  flow: fc.nat(1),
  node: fc.nat(nodeIds.length - 1),
  choice: fc.nat(99),
})

interface Talk {
  run: { runId: string; flowId: string; version: number } | null
  step: number
  waitsAt: { nodeId: string; for: 'time' | 'answer' } | null
  messageIds: string[]
  lives: number
}

const nextOf = (talk: Talk, choice: number, comesTo: string): RunEvent[] => {
  const { run, waitsAt } = talk
  if (!run) return []
  talk.waitsAt = null
  if (!waitsAt) talk.step += 1
  const nodeId = waitsAt?.nodeId ?? comesTo
  const ofStep = { ...run, step: talk.step, nodeId }
  const passed = (type: string, output: FlowOutput): RunEvent => ({
    type: 'FlowStepTaken',
    data: { ...ofStep, type, output },
  })
  const messageId = `${run.runId} ${talk.step}`
  const said: RunEvent = {
    type: 'FlowMessageRequested',
    data: { ...ofStep, messageId, connectionId, content: { kind: 'text', text: 'Olá' }, typingSeconds: 0, links: [] },
  }
  const asked: RunEvent = { type: 'FlowAnswerAwaited', data: { ...ofStep, until } }
  const answered: RunEvent = {
    type: 'FlowAnswerReceived',
    data: { ...ofStep, messageId: `answer ${messageId}`, variable: 'cidade', text: 'Natal' },
  }
  if (waitsAt && choice < 60) {
    if (waitsAt.for === 'time') return [passed('delay', null)]
    if (choice >= 40) return [passed(choice % 2 === 0 ? 'question' : 'menu', 'timeout')]
    if (choice < 20) return [answered, passed('question', 'answer')]
    // A menu asks again, or is left by one of its outputs.
    if (choice < 25) {
      talk.waitsAt = waitsAt
      return [answered, { ...asked, data: { ...asked.data, attempt: 1 } } as RunEvent]
    }
    if (choice === 29) return [answered, passed('question', 'not_understood')]
    return [answered, passed('menu', choice < 30 ? 'not_understood' : choice % 2 === 0 ? 'option_1' : 'option_10')]
  }
  if (!waitsAt && choice < 30) {
    talk.messageIds.push(messageId)
    return [said, passed('message', null)]
  }
  if (!waitsAt && choice < 40) return [passed('condition', choice % 2 === 0 ? 'true' : 'false')]
  if (!waitsAt && choice < 45) return [answered, passed('question', 'answer')]
  if (!waitsAt && choice < 60) {
    talk.waitsAt = { nodeId, for: choice % 2 === 0 ? 'time' : 'answer' }
    return [choice % 2 === 0 ? { type: 'FlowDelayStarted', data: { ...ofStep, until } } : asked]
  }
  talk.run = null
  const ended = { ...run, endedAt: until }
  return [{ type: 'FlowRunEnded', data: { ...ended, reason: reasons[choice % reasons.length] ?? 'completed' } }]
}

export const randomRuns = (moves: number): fc.Arbitrary<Recorded[]> =>
  fc.tuple(fc.uuid(), fc.array(move, { minLength: moves, maxLength: moves })).map(([seed, happened]) => {
    const talks = new Map<string, Talk>()
    return happened.flatMap(({ tenant, contact, flow, node, choice }, index): Recorded[] => {
      const name = `${seed} ${tenant} ${contact}`
      const talk = talks.get(name) ?? { run: null, step: 0, waitsAt: null, messageIds: [], lives: 0 }
      talks.set(name, talk)
      const contactId = idOf(`${name} ${talk.lives}`)
      const of = (category: string, ...events: AnyEvent[]) =>
        events.map((event) => ({
          tenant: idOf(`${seed} ${tenant}`),
          contactId,
          stream: `${category}-${contactId}`,
          event,
        }))
      const nodeId = nodeIds[node] ?? 'n0'
      const messageId = talk.messageIds[choice % Math.max(1, talk.messageIds.length)]
      if (choice >= 80 && choice < 97 && messageId) {
        if (choice < 90) return of('chat', { type: 'MessageSent', data: { messageId } })
        return of('chat', { type: choice < 94 ? 'MessageDelivered' : 'MessageRead', data: { messageId } })
      }
      if (choice === 97 && talk.run)
        return of('flowRun', { type: 'FlowLinkOpened', data: { ...talk.run, nodeId, token: `t${index}` } })
      if (choice === 98) {
        talks.set(name, { run: null, step: 0, waitsAt: null, messageIds: [], lives: talk.lives + 1 })
        return of('contact', { type: 'ContactErased', data: {} })
      }
      if (talk.run) return of('flowRun', ...nextOf(talk, choice % 80, nodeId))
      talk.run = { runId: idOf(`${name} run ${index}`), flowId: idOf(`${seed} flow ${tenant} ${flow}`), version: 1 }
      const started = {
        ...talk.run,
        connectionId,
        startedBy: 'any_message',
        startMessageId: `S${index}`,
        text: 'oi',
      } as const
      return of('flowRun', { type: 'FlowRunStarted', data: started })
    })
  })
