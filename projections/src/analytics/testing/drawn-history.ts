import { randomUUID } from 'node:crypto'
import type { AnyEvent } from '@prosa/contracts/events/all-events'

export interface Happened {
  tenant: string
  stream: string
  at: number
  event: AnyEvent
  cause: string
}

/** What was drawn, in words of the tables: nothing of it comes from a projection. Times are milliseconds. */
export interface DrawnConversation {
  tenant: string
  contactId: string
  connectionId: string
  number: number
  openedAt: number
  firstAnswerAt: number | null
  firstAnswerBy: 'attendant' | 'flow' | 'phone' | null
  firstPersonAnswerAt: number | null
  acceptedAt: number | null
  resolvedAt: number | null
  reopenedAt: number | null
  received: number
  sentByPerson: number
  sentByRule: number
}

export interface DrawnRun {
  runId: string
  flowId: string
  steps: number
  isCompleted: boolean
}

export interface DrawnAccount {
  id: string
  trialFrom: number
  /** Of each paid month that followed without a pause, its end. */
  paidUntil: number[]
  isCancelled: boolean
}

export const groupsOf = <T, K>(all: readonly T[], keyOf: (each: T) => K): [K, T[]][] => {
  const groups = new Map<K, T[]>()
  for (const each of all) groups.set(keyOf(each), [...(groups.get(keyOf(each)) ?? []), each])
  return [...groups]
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
export const historyBegins = Date.UTC(2026, 8, 1, 11)

/** A linear congruential generator: the same seed, the same history. */
export const drawing = (seed: number) => {
  let state = seed
  const below = (limit: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * limit)
  }
  return {
    below,
    oneOf: <T>(all: readonly T[]): T => all[below(all.length)] as T,
    isOneIn: (of: number) => below(of) === 0,
  }
}
type Drawing = ReturnType<typeof drawing>

const instant = (at: number) => new Date(at).toISOString()

interface Shop {
  tenant: string
  connections: readonly string[]
  flowId: string
}

const flowSteps = 4
/** Whatever a person wrote: no answer without personal data may hold it. */
export const planted = 'SEGREDO'

/** The runs and conversations of one contact, one after the other. */
const contactHistory = ({ tenant, connections, flowId }: Shop, draw: Drawing, begin: number) => {
  const contactId = randomUUID()
  const connectionId = draw.oneOf(connections)
  const happened: Happened[] = []
  const conversations: DrawnConversation[] = []
  const runs: DrawnRun[] = []
  const note = (category: string, at: number, event: AnyEvent) =>
    happened.push({ tenant, stream: `${category}-${contactId}`, at, event, cause: randomUUID() })
  let messages = 0
  const content = () => ({ kind: 'text', text: `${planted} ${'x'.repeat(draw.below(40))}` }) as const
  const message = () => ({ messageId: `${contactId.slice(0, 8)}-${messages++}`, connectionId, content: content() })
  const receive = (at: number) =>
    note('chat', at, { type: 'MessageReceived', data: { ...message(), sentAt: instant(at) } })
  const queue = (at: number, run?: string) => {
    const written = message()
    const flow = run && { flowId, version: 1, runId: run, nodeId: 'n' }
    note('chat', at, {
      type: 'MessageQueued',
      data: { ...written, toJid: '1@lid', attendantId: tenant, ...(flow && { automatic: 'flow', flow }) },
    })
    const ticks = ['MessageSent', 'MessageDelivered', 'MessageRead'] as const
    ticks.slice(0, draw.below(4)).forEach((type, index) => {
      note('chat', at + (index + 1) * 1000, { type, data: { messageId: written.messageId } })
    })
  }
  const run = (at: number): number => {
    const runId = randomUUID()
    const ofRun = { runId, flowId, version: 1 }
    const steps = 1 + draw.below(flowSteps)
    note('flowRun', at, {
      type: 'FlowRunStarted',
      data: { ...ofRun, connectionId, startedBy: 'any_message', startMessageId: null, text: planted },
    })
    for (let step = 1; step <= steps; step++)
      note('flowRun', at + step * 2000, {
        type: 'FlowStepTaken',
        data: { ...ofRun, step, nodeId: `caixa ${step}`, type: step === flowSteps ? 'end' : 'message', output: null },
      })
    const isCompleted = steps === flowSteps
    note('flowRun', at + steps * 2000 + 1000, {
      type: 'FlowRunEnded',
      data: { ...ofRun, endedAt: instant(at), reason: isCompleted ? 'completed' : 'unanswered' },
    })
    queue(at + 2000, runId)
    runs.push({ runId, flowId, steps, isCompleted })
    return at + 2000
  }

  let at = begin
  for (let number = 1, left = 1 + draw.below(3); left > 0; number++, left--) {
    if (number === 1)
      note('contact', at, {
        type: 'ContactAdded',
        data: { name: planted, phone: '5511988776655', lid: null, origin: 'message' },
      })
    else note('contact', at, { type: 'ConversationReopened', data: {} })
    const before = conversations.at(-1)
    if (before) before.reopenedAt = at
    receive(at)
    const conversation: DrawnConversation = {
      ...{ tenant, contactId, connectionId, number, openedAt: at },
      ...{ firstAnswerAt: null, firstAnswerBy: null, firstPersonAnswerAt: null, acceptedAt: null, resolvedAt: null },
      ...{ reopenedAt: null, received: 1, sentByPerson: 0, sentByRule: 0 },
    }
    conversations.push(conversation)
    const answer = (when: number, by: 'attendant' | 'flow' | 'phone') => {
      if (conversation.firstAnswerAt === null) Object.assign(conversation, { firstAnswerAt: when, firstAnswerBy: by })
      if (by === 'flow') conversation.sentByRule++
      else {
        conversation.firstPersonAnswerAt ??= when
        conversation.sentByPerson++
      }
    }
    if (draw.isOneIn(2)) answer(run(at + 5000), 'flow')
    at += 30_000 + draw.below(90) * minute
    if (draw.isOneIn(3)) {
      receive(at)
      conversation.received++
    }
    if (draw.isOneIn(6)) {
      at += minute
      note('chat', at, { type: 'MessageSentElsewhere', data: { ...message(), sentAt: instant(at) } })
      answer(at, 'phone')
    }
    if (draw.isOneIn(5)) break
    at += minute
    note('contact', at, { type: 'ConversationAccepted', data: { attendantId: tenant } })
    conversation.acceptedAt = at
    for (let times = draw.below(3); times >= 0; times--) {
      at += 20_000 + draw.below(10) * minute
      queue(at)
      answer(at, 'attendant')
    }
    at += hour
    note('contact', at, { type: 'ConversationResolved', data: { attendantId: tenant } })
    conversation.resolvedAt = at
    at += hour + draw.below(72) * hour
  }
  return { happened, conversations, runs }
}

const about = { subscriptionId: null, productId: 'profissional' }

/** A trial, then months that are paid until one is not. */
const accountHistory = (draw: Drawing, begin: number) => {
  const id = randomUUID()
  const happened: Happened[] = []
  const note = (at: number, event: AnyEvent) =>
    happened.push({ tenant: id, stream: `subscription-${id}`, at, event, cause: randomUUID() })
  const trialEnd = begin + 10 * day
  note(begin, { type: 'TrialStarted', data: { endsAt: instant(trialEnd) } })
  const months = draw.below(4)
  const account: DrawnAccount = { id, trialFrom: begin, paidUntil: [], isCancelled: false }
  let end = begin + draw.below(10) * day
  if (months === 0) note(trialEnd, { type: 'TrialEnded', data: {} })
  for (let month = 0; month < months; month++) {
    const until = instant(end + 30 * day)
    note(end - (month === 0 ? 0 : hour), {
      type: 'AccessGranted',
      data: { ...about, orderId: `${id}-${month}`, until, endsAt: until, status: 'active', by: 'order' },
    })
    end += 30 * day
    account.paidUntil.push(end)
  }
  if (months > 0 && draw.isOneIn(2)) {
    account.isCancelled = true
    note(end - day, { type: 'RenewalCancelled', data: { subscriptionId: 's', status: 'cancelled' } })
  }
  if (months > 0) note(end + 1000, { type: 'AccessEnded', data: {} })
  return { happened, account }
}

export interface DrawnHistory {
  /** In order of time. */
  happened: Happened[]
  shops: Shop[]
  conversations: DrawnConversation[]
  runs: DrawnRun[]
  accounts: DrawnAccount[]
}

export const drawHistory = (
  seed: number,
  { contacts, accounts }: { contacts: number; accounts: number },
): DrawnHistory => {
  const draw = drawing(seed)
  const shops = [3, 2].map((lines) => ({
    tenant: randomUUID(),
    connections: Array.from({ length: lines }, () => randomUUID()),
    flowId: randomUUID(),
  }))
  const people = Array.from({ length: contacts }, () =>
    contactHistory(draw.oneOf(shops), draw, historyBegins + draw.below(20 * 24 * 60) * minute),
  )
  const paying = Array.from({ length: accounts }, () => accountHistory(draw, historyBegins + draw.below(40) * day))
  const happened = [...people, ...paying].flatMap((each) => each.happened)
  return {
    happened: happened
      .map((each, index) => ({ each, index }))
      .sort((a, b) => a.each.at - b.each.at || a.index - b.index)
      .map(({ each }) => each),
    shops,
    conversations: people.flatMap((each) => each.conversations),
    runs: people.flatMap((each) => each.runs),
    accounts: paying.map(({ account }) => account),
  }
}
