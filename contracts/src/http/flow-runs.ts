import { z } from 'zod'
import { flowDocument, flowId, flowRunId } from '../flows/flow-document.ts'
import { flowEndReason } from '../flows/flow-end-reason.ts'
import { contactId, labelId } from '../values/ids.ts'
import { instant } from '../values/instant.ts'
import { maximumTextLength } from '../values/lengths.ts'
import { cursor } from './cursor.ts'
import { endpoint } from './endpoint.ts'

const output = z.enum(['true', 'false', 'answer', 'timeout']).nullable()

/** What happens in a test, in its order. */
export const testInput = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('message'), text: z.string().min(1).max(maximumTextLength) }),
  /** The next delay, time-out or silence is over now. */
  z.object({ kind: z.literal('skip_time') }),
])

/** What a test, or a real run, did. `text` is what was said, with its variables filled in. */
const stepTaken = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('started'), nodeId: z.string() }),
  z.object({
    kind: z.literal('passed'),
    nodeId: z.string(),
    type: z.string(),
    output,
    /** Why the node did nothing. */
    skipped: z.enum(['label_gone']).optional(),
  }),
  z.object({
    kind: z.literal('message'),
    nodeId: z.string(),
    text: z.string(),
    fileName: z.string().nullable(),
    fileKind: z.enum(['image', 'video', 'audio', 'document']).nullable(),
    typingSeconds: z.int().nonnegative(),
  }),
  z.object({ kind: z.literal('label'), nodeId: z.string(), labelId, isLabelled: z.boolean() }),
  z.object({ kind: z.literal('delay'), nodeId: z.string(), until: instant }),
  z.object({ kind: z.literal('asked'), nodeId: z.string(), until: instant }),
  z.object({ kind: z.literal('answered'), nodeId: z.string(), variable: z.string(), text: z.string() }),
  z.object({ kind: z.literal('kept'), text: z.string() }),
  z.object({ kind: z.literal('ended'), reason: flowEndReason, flowId: flowId.nullable() }),
])

const flowTestBody = z.object({
  document: flowDocument,
  /** All inputs so far: a test is stateless, and played from its beginning each time. */
  inputs: z.array(testInput).max(500),
  /** What the contact is like. */
  contact: z.object({
    name: z.string().max(100).default('Ana Souza'),
    isNew: z.boolean().default(true),
    labelIds: z.array(labelId).max(20).default([]),
  }),
  /** Whether the business is open; null: as its hours say now. */
  isOpen: z.boolean().nullable().default(null),
})

/** `at`: after how many inputs it happened, from 0 on. */
const testResult = z.object({
  steps: z.array(z.object({ at: z.int().nonnegative(), step: stepTaken })),
  /** Where it stands, and what it waits for; null before it starts and after it ended. */
  standing: z.object({ nodeId: z.string(), waitsFor: z.enum(['time', 'answer']), until: instant }).nullable(),
  /** What is known so far, by name. */
  variables: z.record(z.string(), z.string()),
})

/** Counts of one node. What does not apply to its type is 0. */
const nodeStatistics = z.object({
  nodeId: z.string(),
  /** How often a run came to it. */
  entered: z.int().nonnegative(),
  sent: z.int().nonnegative(),
  delivered: z.int().nonnegative(),
  read: z.int().nonnegative(),
  /** Messages of which a link was opened. */
  clicked: z.int().nonnegative(),
  /** Runs that ended here without having come to an end of the flow. */
  droppedOff: z.int().nonnegative(),
  /** How often it was left by each output: `true`, `false`, `answer`, `timeout`, `next`. */
  outputs: z.record(z.string(), z.int().nonnegative()),
})

const flowSummary = z.object({
  executions: z.int().nonnegative(),
  running: z.int().nonnegative(),
  /** Contacts with whom the flow ran at least once. */
  leads: z.int().nonnegative(),
  /** Leads with whom it came to an end of the flow, or who were handed over to a person. */
  converted: z.int().nonnegative(),
  lastRunAt: instant.nullable(),
})

const flowStatistics = flowSummary.extend({
  /** Executions in which a link was opened. */
  clickedExecutions: z.int().nonnegative(),
  nodes: z.array(nodeStatistics),
})

const flowRun = z.object({
  id: flowRunId,
  flowId,
  version: z.int().positive(),
  contactId,
  contactName: z.string().nullable(),
  startedAt: instant,
  endedAt: instant.nullable(),
  reason: flowEndReason.nullable(),
  /** Where it stands. */
  nodeId: z.string().nullable(),
  until: instant.nullable(),
})

const flowRunDetail = flowRun.extend({
  startedBy: z.string(),
  /** Each step, with the event that it was recorded as and the one that caused it. */
  steps: z.array(z.object({ at: instant, eventId: z.string(), causationId: z.string(), step: stepTaken })),
})

const difference = z.object({
  runId: flowRunId,
  contactId,
  contactName: z.string().nullable(),
  startedAt: instant,
  /** The first node at which the draft does something else; null where it starts, or does not start, otherwise. */
  nodeId: z.string().nullable(),
  before: z.array(stepTaken),
  after: z.array(stepTaken),
})

/** A draft over the runs of the last days, with the same messages at the same times. Nothing is sent. */
const replayResult = z.object({
  from: instant,
  /** How many runs were looked at. */
  runs: z.int().nonnegative(),
  /** There were more than are looked at: only the latest were. */
  isCut: z.boolean(),
  same: z.int().nonnegative(),
  differences: z.array(difference),
})

export const flowRunEndpoints = {
  test: endpoint({
    method: 'POST',
    path: '/api/flows/:id/test',
    area: 'Automação',
    changesNothing: true,
    summary: 'Testa um rascunho com uma conversa inventada. Nada é enviado nem guardado.',
    costs: 'computing',
    body: flowTestBody,
    replies: { 200: testResult },
  }),
  replay: endpoint({
    method: 'POST',
    path: '/api/flows/:id/replay',
    area: 'Automação',
    changesNothing: true,
    summary: 'Onde um rascunho decidiria diferente nas conversas da última semana. Nada é enviado.',
    costs: 'computing',
    body: z.object({ document: flowDocument, days: z.int().min(1).max(30).default(7) }),
    replies: { 200: replayResult },
  }),
  statistics: endpoint({
    method: 'GET',
    path: '/api/flows/:id/statistics',
    area: 'Automação',
    summary: 'Execuções, envios, leituras e cliques de um fluxo, por passo.',
    replies: { 200: flowStatistics },
  }),
  /** Of all flows of the account, for lists. */
  summaries: endpoint({
    method: 'GET',
    path: '/api/flow-statistics',
    area: 'Automação',
    summary: 'Contatos e conversão de cada fluxo.',
    replies: { 200: z.array(flowSummary.extend({ flowId })) },
  }),
  /** Latest first; 50 a page. */
  list: endpoint({
    method: 'GET',
    path: '/api/flows/:id/runs',
    area: 'Automação',
    summary: 'As execuções de um fluxo, da última.',
    query: z.object({ cursor: cursor.optional() }),
    replies: { 200: z.array(flowRun) },
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/flow-runs/:id',
    area: 'Automação',
    summary: 'Uma execução, passo a passo, com o que causou cada um.',
    replies: { 200: flowRunDetail },
  }),
  stop: endpoint({
    method: 'POST',
    path: '/api/flow-runs/:id/stop',
    area: 'Automação',
    summary: 'Para uma execução.',
    replies: { 200: z.object({ id: flowRunId }) },
  }),
}

export type FlowTestInput = z.infer<typeof testInput>
export type FlowTestBody = z.infer<typeof flowTestBody>
export type FlowTestResult = z.infer<typeof testResult>
export type FlowStepTaken = z.infer<typeof stepTaken>
export type FlowSummary = z.infer<typeof flowSummary>
export type FlowStatistics = z.infer<typeof flowStatistics>
export type FlowNodeStatistics = z.infer<typeof nodeStatistics>
export type FlowRun = z.infer<typeof flowRun>
export type FlowRunDetail = z.infer<typeof flowRunDetail>
export type FlowReplay = z.infer<typeof replayResult>
