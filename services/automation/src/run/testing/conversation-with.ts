import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { defaultBudgets } from '@prosa/product/budgets'
import type { StartingMessage } from '../choose-flow.ts'
import type { FlowFacts, FlowLibrary } from '../flow-facts.ts'
import type { FlowRunEvent } from '../flow-run-state.ts'
import type { FlowRunCommand, ReceiveInput } from '../flow-runs.ts'
import { playedRuns } from '../replay/played-runs.ts'
import type { RequestReply } from '../requests/request-step.ts'
import { spokenText } from '../text/spoken-text.ts'

export const contactId = '7c0c5a0e-5f5e-4a53-9a37-3f4f1c1f0a11'
export const connectionId = '0d4d4b5c-3e0a-4ad4-8b8e-5f3a0d7e9a22'

/** All at version 1 and enabled. */
export const libraryOf = (flows: Readonly<Record<string, FlowDocument>>): FlowLibrary => ({
  version: (flowId) => flows[flowId],
  published: (flowId) => (flows[flowId] ? 1 : null),
})

type Start = Omit<StartingMessage, 'text' | 'now' | 'writtenAt'>

const began = Date.parse('2026-11-23T12:00:00.000Z')

/** Flows are in order of publication. */
export const conversationWith = (flows: Readonly<Record<string, FlowDocument>>, about: Partial<FlowFacts> = {}) => {
  const runs = playedRuns()
  const library = libraryOf(flows)
  const candidates = Object.entries(flows).map(([flowId, document]) => ({ flowId, version: 1, document }))
  const events: FlowRunEvent[] = []
  let seconds = 0
  let written = 0
  const now = () => new Date(began + seconds * 1000).toISOString()
  const facts = (): FlowFacts => ({
    now: now(),
    today: now().slice(0, 10),
    fields: new Map(),
    fieldValues: {},
    isOpen: true,
    labelIds: [],
    labels: { has: () => true },
    firstName: 'Ana',
    company: 'Padaria Sol',
    limits: { starts: defaultBudgets.flowStartsPerContact, messages: defaultBudgets.flowMessagesPerContact },
    ...about,
  })
  const give = (command: FlowRunCommand) => {
    const found = runs.give(command)
    events.push(...found)
    return found
  }
  const start: Start = { connectionId, candidates, isFirst: false, isOutOfHours: false, defaultFlowId: null }
  return {
    events,
    give,
    state: runs.state,
    now,
    writes(
      text: string,
      given: Partial<Start> & Pick<Partial<ReceiveInput>, 'messageId' | 'file' | 'reply'> & { writtenAt?: string } = {},
    ) {
      const { messageId = `M${++written}`, file, reply, ...rest } = given
      const data = {
        contactId,
        messageId,
        reply: reply ?? null,
        text,
        file,
        facts: facts(),
        library,
        start: { writtenAt: now(), ...start, ...rest },
      }
      return give({ type: 'ReceiveInput', data })
    },
    isLabelled: (labelId: string, occasion = `label ${++written}`) =>
      give({
        type: 'ReceiveLabel',
        data: { contactId, labelId, occasion, facts: facts(), library, start: { ...start, writtenAt: now() } },
      }),
    /** In seconds; timers fire on time. */
    passes(duration: number) {
      const end = seconds + duration
      for (let wait = runs.nextWait(); wait; wait = runs.nextWait()) {
        const at = (Date.parse(wait.at) - began) / 1000
        if (at > end) break
        seconds = Math.max(seconds, at)
        give({ type: 'ReachTime', data: { runId: wait.runId, facts: facts(), library } })
      }
      seconds = end
    },
    /** To the request at which the latest run waits. */
    isReplied(reply: Partial<RequestReply> & { step?: number } = {}) {
      const run = runs.state().runs.findLast(({ standing }) => standing?.waitsFor === 'reply')
      const { step = run?.step ?? 0, ...given } = reply
      const full = { status: 200, failure: null, durationMs: 12, attempts: 1, values: {}, ...given }
      const data = { runId: run?.runId ?? '', step, reply: full, facts: facts(), library }
      return give({ type: 'ReceiveReply', data })
    },
    sent: () => events.flatMap(({ type, data }) => (type === 'FlowMessageRequested' ? spokenText(data.content) : [])),
    ends: () => events.flatMap(({ type, data }) => (type === 'FlowRunEnded' ? data.reason : [])),
    started: () => events.flatMap(({ type, data }) => (type === 'FlowRunStarted' ? [data] : [])),
  }
}
