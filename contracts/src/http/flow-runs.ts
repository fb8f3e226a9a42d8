import { z } from 'zod'
import { calculationFault } from '../flows/calculation.ts'
import { flowDocument, flowId, flowOutput, flowRequest, flowRunId, variablePattern } from '../flows/flow-document.ts'
import { flowEndReason } from '../flows/flow-end-reason.ts'
import { maximumFlowSecretLength } from '../flows/flow-limits.ts'
import { requestOutputs, requestReply } from '../flows/request.ts'
import { answerTypes } from '../values/answers/answer-type.ts'
import { contactFieldId, contactId, labelId } from '../values/ids.ts'
import { instant } from '../values/instant.ts'
import { maximumTextLength } from '../values/lengths.ts'
import { checkPeriod, periodDay } from '../values/time/period.ts'
import { cursor } from './cursor.ts'
import { endpoint } from './endpoint.ts'
import { maxWhatIfDays, walkAsked, walkPart } from './what-if/walk.ts'

export const testInput = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('message'), text: z.string().min(1).max(maximumTextLength) }),
  /** A picture without words. */
  z.object({ kind: z.literal('file') }),
  /** Ends the next delay, time-out or silence. */
  z.object({ kind: z.literal('skip_time') }),
  /** Nothing is sent: the reply to the request at which the run waits, with `values` of variables. */
  z.object({
    kind: z.literal('reply'),
    output: z.enum(requestOutputs),
    values: z.record(z.string().max(40), z.string().max(maximumTextLength)).default({}),
  }),
])

/** `text` has its variables filled in. */
const stepTaken = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('started'), nodeId: z.string() }),
  z.object({
    kind: z.literal('passed'),
    nodeId: z.string(),
    type: z.string(),
    output: flowOutput,
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
  z.object({
    kind: z.literal('field'),
    nodeId: z.string(),
    fieldId: contactFieldId,
    answerType: z.enum(answerTypes),
    value: z.string(),
  }),
  z.object({ kind: z.literal('delay'), nodeId: z.string(), until: instant }),
  z.object({ kind: z.literal('asked'), nodeId: z.string(), until: instant }),
  z.object({
    kind: z.literal('answered'),
    nodeId: z.string(),
    variable: z.string(),
    text: z.string(),
    /** The option that a menu's answer chose, or what a checked answer means. */
    value: z.string().optional(),
    answerType: z.enum(answerTypes).optional(),
  }),
  z.object({ kind: z.literal('requested'), nodeId: z.string(), until: instant }),
  z.object({
    kind: z.literal('replied'),
    nodeId: z.string(),
    ...requestReply,
    values: z.record(z.string(), z.string()),
  }),
  z.object({
    kind: z.literal('calculated'),
    nodeId: z.string(),
    variable: z.string(),
    /** As people write it; null: it failed. */
    value: z.string().nullable(),
    fault: calculationFault.nullable(),
    /** The variable that is no number. */
    about: z.string().optional(),
  }),
  z.object({ kind: z.literal('kept'), text: z.string() }),
  z.object({ kind: z.literal('ended'), reason: flowEndReason, flowId: flowId.nullable() }),
])

const flowTestBody = z.object({
  document: flowDocument,
  /** A test is stateless: all inputs so far. */
  inputs: z.array(testInput).max(500),
  contact: z.object({
    name: z.string().max(100).default('Ana Souza'),
    isNew: z.boolean().default(true),
    labelIds: z.array(labelId).max(20).default([]),
  }),
  /** Null: current opening hours. */
  isOpen: z.boolean().nullable().default(null),
})

/** `at`: number of preceding inputs. */
const testResult = z.object({
  steps: z.array(z.object({ at: z.int().nonnegative(), step: stepTaken })),
  /** Null before start and after end. */
  standing: z.object({ nodeId: z.string(), waitsFor: z.enum(['time', 'answer', 'reply']), until: instant }).nullable(),
  variables: z.record(z.string(), z.string()),
})

/** Inapplicable counts are 0. */
const nodeStatistics = z.object({
  nodeId: z.string(),
  entered: z.int().nonnegative(),
  sent: z.int().nonnegative(),
  delivered: z.int().nonnegative(),
  read: z.int().nonnegative(),
  clicked: z.int().nonnegative(),
  /** Runs that ended before an end of the flow. */
  droppedOff: z.int().nonnegative(),
  /** By output, as `true` or `option_1`; `next` where there is one. */
  outputs: z.record(z.string(), z.int().nonnegative()),
})

const flowSummary = z.object({
  executions: z.int().nonnegative(),
  running: z.int().nonnegative(),
  leads: z.int().nonnegative(),
  /** Reached an end of the flow or a person. */
  converted: z.int().nonnegative(),
  lastRunAt: instant.nullable(),
})

const flowStatistics = flowSummary.extend({
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
  nodeId: z.string().nullable(),
  until: instant.nullable(),
})

const flowRunDetail = flowRun.extend({
  startedBy: z.string(),
  steps: z.array(z.object({ at: instant, eventId: z.string(), causationId: z.string(), step: stepTaken })),
})

const difference = z.object({
  runId: flowRunId,
  contactId,
  contactName: z.string().nullable(),
  startedAt: instant,
  /** First difference; null: at the start. */
  nodeId: z.string().nullable(),
  /** The flow that began instead; null: none did, or the draft's own. */
  other: flowId.nullable(),
  before: z.array(stepTaken),
  after: z.array(stepTaken),
})

/** A part of the conversations of some days, replayed with a draft. Sends nothing. */
const replayPart = z.object({
  ...walkPart,
  from: instant,
  /** With messages or runs in these days. */
  conversations: z.int().nonnegative(),
  runs: z.int().nonnegative(),
  same: z.int().nonnegative(),
  different: z.int().nonnegative(),
  /** Of the different ones: the draft would have begun, and did not. */
  begun: z.int().nonnegative(),
  differences: z.array(difference),
})

const maxBotPauseHours = 30 * 24

export const flowRunEndpoints = {
  test: endpoint({
    service: 'automation',
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
    service: 'automation',
    method: 'POST',
    path: '/api/flows/:id/replay',
    area: 'Automação',
    changesNothing: true,
    summary: 'Onde um rascunho decidiria diferente nas conversas de alguns dias, por partes. Nada é enviado.',
    costs: 'computing',
    /** Default: the last seven days including today. */
    body: z
      .object({ ...walkAsked, document: flowDocument, from: periodDay.optional(), to: periodDay.optional() })
      .superRefine(checkPeriod(maxWhatIfDays)),
    replies: { 200: replayPart },
  }),
  statistics: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/flows/:id/statistics',
    area: 'Automação',
    summary: 'Execuções, envios, leituras e cliques de um fluxo, por passo.',
    replies: { 200: flowStatistics },
  }),
  summaries: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/flow-statistics',
    area: 'Automação',
    summary: 'Contatos e conversão de cada fluxo.',
    replies: { 200: z.array(flowSummary.extend({ flowId })) },
  }),
  /** Latest first; 50 a page. */
  list: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/flows/:id/runs',
    area: 'Automação',
    summary: 'As execuções de um fluxo, da última.',
    query: z.object({ cursor: cursor.optional() }),
    replies: { 200: z.array(flowRun) },
  }),
  read: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/flow-runs/:id',
    area: 'Automação',
    summary: 'Uma execução, passo a passo, com o que causou cada um.',
    replies: { 200: flowRunDetail },
  }),
  stop: endpoint({
    service: 'automation',
    method: 'POST',
    path: '/api/flow-runs/:id/stop',
    area: 'Automação',
    summary: 'Para uma execução.',
    replies: { 200: z.object({ id: flowRunId }) },
  }),
  /** Over the conversation's number, regardless of trigger and 'pode começar de novo'. */
  startByHand: endpoint({
    service: 'automation',
    method: 'POST',
    path: '/api/whatsapp/contacts/:id/flow-runs',
    area: 'Conversas',
    summary: 'Começa um fluxo publicado com um contato.',
    body: z.object({ flowId: z.uuid('Escolha um fluxo.').toLowerCase() }),
    replies: { 201: z.object({ id: flowRunId, contactId, flowId, version: z.int().positive() }) },
  }),
  /** Runs stop; until resumed or so many hours, what the contact writes starts none. */
  pauseBot: endpoint({
    service: 'automation',
    method: 'POST',
    path: '/api/whatsapp/contacts/:id/bot-pause',
    area: 'Conversas',
    summary: 'Pausa o robô para um contato: o fluxo em andamento para, e nenhum começa.',
    body: z.object({
      hours: z
        .int('Escolha por quantas horas.')
        .min(1, 'Escolha ao menos uma hora.')
        .max(
          maxBotPauseHours,
          `O robô pode ficar pausado por no máximo ${maxBotPauseHours / 24} dias, ou até alguém retomar.`,
        )
        .nullable(),
    }),
    replies: { 200: z.object({ id: contactId, until: instant.nullable() }) },
  }),
  resumeBot: endpoint({
    service: 'automation',
    method: 'DELETE',
    path: '/api/whatsapp/contacts/:id/bot-pause',
    area: 'Conversas',
    summary: 'Retoma o robô para um contato.',
    replies: { 200: z.object({ id: contactId }) },
  }),
}

const variableValues = z.record(z.string().max(40), z.string().max(maximumTextLength))
const secretName = z
  .string()
  .regex(variablePattern, 'Comece por uma letra minúscula; depois, só letras minúsculas, números e “_”, até 40.')

const sentRequest = z.object({
  ...requestReply,
  /** As text, at most 20,000 characters, without the secrets that were sent. */
  body: z.string(),
  isCut: z.boolean(),
  values: variableValues,
})

export const flowRequestEndpoints = {
  test: endpoint({
    service: 'automation',
    method: 'POST',
    path: '/api/flow-requests/test',
    area: 'Automação',
    changesNothing: true,
    summary: 'Envia de verdade a requisição de um passo, uma vez, e mostra a resposta.',
    body: z.object({ request: flowRequest, values: variableValues.default({}) }),
    replies: { 200: sentRequest },
  }),
  /** Their values are in no reply. */
  secrets: endpoint({
    service: 'automation',
    method: 'GET',
    path: '/api/flow-secrets',
    area: 'Automação',
    summary: 'Os nomes dos segredos que as requisições dos fluxos usam.',
    replies: { 200: z.array(z.object({ name: secretName })) },
  }),
  storeSecret: endpoint({
    service: 'automation',
    method: 'PUT',
    path: '/api/flow-secrets/:name',
    area: 'Automação',
    summary: 'Guarda um segredo, ou troca o seu valor, que não é mostrado nunca mais.',
    params: z.object({ name: secretName }),
    body: z.strictObject({ value: z.string().min(1, 'Diga o valor do segredo.').max(maximumFlowSecretLength) }),
    replies: { 200: z.object({ name: secretName }) },
  }),
  removeSecret: endpoint({
    service: 'automation',
    method: 'DELETE',
    path: '/api/flow-secrets/:name',
    area: 'Automação',
    summary: 'Exclui um segredo.',
    params: z.object({ name: secretName }),
    replies: { 200: z.object({ name: secretName }) },
  }),
}

export type SentFlowRequest = z.infer<typeof sentRequest>
export type FlowTestInput = z.infer<typeof testInput>
export type FlowTestBody = z.infer<typeof flowTestBody>
export type FlowTestResult = z.infer<typeof testResult>
export type FlowStepTaken = z.infer<typeof stepTaken>
export type FlowSummary = z.infer<typeof flowSummary>
export type FlowStatistics = z.infer<typeof flowStatistics>
export type FlowNodeStatistics = z.infer<typeof nodeStatistics>
export type FlowRun = z.infer<typeof flowRun>
export type FlowRunDetail = z.infer<typeof flowRunDetail>
export type FlowReplayPart = z.infer<typeof replayPart>
export type FlowReplayDifference = z.infer<typeof difference>
