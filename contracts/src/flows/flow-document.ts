import { z } from 'zod'
import { connectionId, id, labelId } from '../values/ids.ts'
import { messageFile } from '../values/message-content.ts'
import { maximumDraftTextLength, maximumFlowLinks, maximumFlowNodes, maximumWaitSeconds } from './flow-limits.ts'

export const flowId = id
export const flowFolderId = id
export const flowRunId = id

export {
  maximumDraftTextLength,
  maximumFlowLinks,
  maximumFlowNameLength,
  maximumFlowNodes,
  maximumFolderDescriptionLength,
  maximumWaitSeconds,
} from './flow-limits.ts'

const nodeId = z.string().min(1).max(64)
const text = z.string().max(maximumDraftTextLength)
const coordinate = z.number().min(-1_000_000).max(1_000_000)

/** `nome`, `empresa` and `resposta` (what the contact wrote last) are always there; questions add others. */
export const variablePattern = /^[a-z][a-z0-9_]{0,39}$/
export const givenVariables = ['nome', 'empresa', 'resposta'] as const

/** What starts a flow. Words are compared without case and accents. */
export const flowStart = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('any_message') }),
  z.object({
    kind: z.literal('keyword'),
    words: z.array(z.string().min(1).max(100)).max(50),
    /** The whole message is one of the words, or one of them stands in it as a word. */
    match: z.enum(['equals', 'contains']),
  }),
  z.object({ kind: z.literal('first_contact') }),
  z.object({ kind: z.literal('out_of_hours') }),
  z.object({ kind: z.literal('label_set'), labelId: z.nullable(labelId) }),
])

const variable = z.string().max(40)

/** What a condition asks: data, never code. Texts are compared without case and accents; a pattern as it is written. */
export const flowTest = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('equals'), variable, value: z.string().max(500) }),
  z.object({ kind: z.literal('contains'), variable, value: z.string().max(500) }),
  z.object({ kind: z.literal('matches'), variable, pattern: z.string().max(500) }),
  /** 'R$ 1.234,50' counts as 1234.5; what is no number is false. */
  z.object({ kind: z.literal('number'), variable, comparison: z.enum(['equal', 'above', 'below']), value: z.number() }),
  /** 'sim', 'claro', 'pode ser' and the like. */
  z.object({ kind: z.literal('yes'), variable }),
  z.object({ kind: z.literal('no'), variable }),
  /** Whether the business is open now. */
  z.object({ kind: z.literal('open') }),
  z.object({ kind: z.literal('label'), labelId: z.nullable(labelId) }),
])

const position = z.object({ x: coordinate, y: coordinate })

/**
 * Names of the specification's fields are kept: `trigger`, `message`, `delay` (seconds as text), `condition`. Each by zod's own
 * functions alone: what they make the bundler leaves out of the browser (decision 0028), what ours would make it keeps.
 */
export const flowNode = z.discriminatedUnion('type', [
  z.object({
    id: nodeId,
    type: z.literal('trigger'),
    position,
    data: z.object({ trigger: text, enabled: z.boolean(), start: flowStart }),
  }),
  z.object({
    id: nodeId,
    type: z.literal('message'),
    position,
    data: z.object({
      title: z.string().max(100),
      message: text,
      enabled: z.boolean(),
      /** A file that was uploaded before, sent with the text as its caption. */
      file: z
        .object({
          kind: z.enum(['image', 'video', 'audio', 'document']),
          fileName: z.string().max(255),
          file: messageFile,
        })
        .nullable(),
      /** How long 'digitando…' is shown before it is sent. */
      typingSeconds: z.int().min(0).max(25),
    }),
  }),
  z.object({
    id: nodeId,
    type: z.literal('delay'),
    position,
    data: z.object({ delay: z.string().max(10), description: z.string().max(300) }),
  }),
  z.object({
    id: nodeId,
    type: z.literal('condition'),
    position,
    data: z.object({ condition: z.string().max(300), test: flowTest }),
  }),
  z.object({
    id: nodeId,
    type: z.literal('question'),
    position,
    data: z.object({
      question: text,
      /** Where the answer is stored. */
      variable,
      /** Null: waits until the run ends by silence. */
      timeoutSeconds: z.int().min(1).max(maximumWaitSeconds).nullable(),
    }),
  }),
  z.object({
    id: nodeId,
    type: z.literal('label'),
    position,
    data: z.object({ labelId: z.nullable(labelId), isLabelled: z.boolean() }),
  }),
  /** `message` is sent first where it is not empty. */
  z.object({ id: nodeId, type: z.literal('handover'), position, data: z.object({ message: text }) }),
  /** Goes on in another flow, from its start, whatever starts that one. */
  z.object({ id: nodeId, type: z.literal('flow'), position, data: z.object({ flowId: z.nullable(flowId) }) }),
])

/** Outputs: null of a node that has one; `true` and `false` of a condition; `answer` and `timeout` of a question. */
export const flowLink = z.object({
  id: z.string().min(1).max(200),
  source: nodeId,
  target: nodeId,
  sourceHandle: z.enum(['true', 'false', 'answer', 'timeout']).nullable(),
})

export const flowSettings = z.object({
  /** When it may start again for the same person: whenever it is not running, never, or so many hours after it ended. */
  again: z.enum(['always', 'never', 'after']),
  againAfterHours: z.int().min(1).max(8760),
  /** Hours without an answer after which a run ends. */
  silenceHours: z.int().min(1).max(720),
  /** The lines on which it starts; empty: all. */
  connectionIds: z.array(connectionId).max(100),
})

/** A flow as it is drawn: what a draft, a version and an export hold. */
export const flowDocument = z.object({
  nodes: z.array(flowNode).max(maximumFlowNodes),
  links: z.array(flowLink).max(maximumFlowLinks),
  settings: flowSettings,
})

/** What is stored of a draft beside the log. */
export const storedDraft = z.object({ version: z.literal(1), document: flowDocument })

/** What an exported file holds. */
export const flowFile = z.object({
  format: z.literal('prosa-flow'),
  version: z.literal(1),
  name: z.string(),
  document: flowDocument,
})

export type FlowDocument = z.infer<typeof flowDocument>
export type FlowNode = z.infer<typeof flowNode>
export type FlowNodeOf<T extends FlowNode['type']> = Extract<FlowNode, { type: T }>
export type FlowNodeType = FlowNode['type']
export type FlowLink = z.infer<typeof flowLink>
export type FlowOutput = FlowLink['sourceHandle']
export type FlowStart = z.infer<typeof flowStart>
export type FlowTest = z.infer<typeof flowTest>
export type FlowSettings = z.infer<typeof flowSettings>

/** What stands in the log where the flow of an erased account was. */
export const erasedFlowDocument: FlowDocument = {
  nodes: [],
  links: [],
  settings: { again: 'always', againAfterHours: 24, silenceHours: 24, connectionIds: [] },
}

/** The outputs that a node has. */
export const outputsOf = (type: FlowNodeType): readonly FlowOutput[] => {
  if (type === 'condition') return ['true', 'false']
  if (type === 'question') return ['answer', 'timeout']
  return type === 'handover' || type === 'flow' ? [] : [null]
}
