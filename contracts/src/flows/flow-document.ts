import { z } from 'zod'
import { answerTypes } from '../values/answers/answer-type.ts'
import { maximumCalculationLength, maximumDecimals } from '../values/answers/calculate.ts'
import { connectionId, contactFieldId, id, labelId } from '../values/ids.ts'
import { messageFile } from '../values/message-content.ts'
import {
  maximumComparedTexts,
  maximumDraftTextLength,
  maximumFlowLinks,
  maximumFlowNodes,
  maximumFlowNotes,
  maximumMenuAttempts,
  maximumMenuLabelLength,
  maximumNoteLength,
  maximumRequestBodyLength,
  maximumRequestHeaders,
  maximumRequestResults,
  maximumRequestUrlLength,
  maximumWaitSeconds,
} from './flow-limits.ts'
import { requestMethods, requestOutputs, requestResult } from './request.ts'

export const flowId = id
export const flowFolderId = id
export const flowRunId = id

export {
  maximumComparedTexts,
  maximumDraftTextLength,
  maximumFlowLinks,
  maximumFlowNameLength,
  maximumFlowNodes,
  maximumFlowNotes,
  maximumFolderDescriptionLength,
  maximumMenuAttempts,
  maximumMenuLabelLength,
  maximumWaitSeconds,
} from './flow-limits.ts'

const nodeId = z.string().min(1).max(64)
const text = z.string().max(maximumDraftTextLength)
const coordinate = z.number().min(-1_000_000).max(1_000_000)

/** Given variables always exist (`resposta`: last message); questions add others. */
export const variablePattern = /^[a-z][a-z0-9_]{0,39}$/
export const givenVariables = ['nome', 'empresa', 'resposta'] as const

/** Compared without case and accents. */
export const flowStart = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('any_message') }),
  z.object({
    kind: z.literal('keyword'),
    words: z.array(z.string().min(1).max(100)).max(50),
    /** Whole message or whole word. */
    match: z.enum(['equals', 'contains']),
  }),
  z.object({ kind: z.literal('first_contact') }),
  z.object({ kind: z.literal('out_of_hours') }),
  z.object({ kind: z.literal('label_set'), labelId: z.nullable(labelId) }),
])

const variable = z.string().max(40)

const comparedText = z.string().max(500)
const comparedTexts = {
  variable,
  /** Any of them; before 2026-11-27 one, `value`. */
  values: z.array(comparedText).max(maximumComparedTexts).optional(),
  value: comparedText.optional(),
}

/** Data, never code. Patterns respect case and accents. */
export const flowTest = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('equals'), ...comparedTexts }),
  z.object({ kind: z.literal('contains'), ...comparedTexts }),
  z.object({ kind: z.literal('matches'), variable, pattern: z.string().max(500) }),
  /** 'R$ 1.234,50' counts as 1234.5; other text is false. */
  z.object({ kind: z.literal('number'), variable, comparison: z.enum(['equal', 'above', 'below']), value: z.number() }),
  /** 'sim', 'claro', 'pode ser' etc. */
  z.object({ kind: z.literal('yes'), variable }),
  z.object({ kind: z.literal('no'), variable }),
  z.object({ kind: z.literal('open') }),
  z.object({ kind: z.literal('label'), labelId: z.nullable(labelId) }),
])

const position = z.object({ x: coordinate, y: coordinate })

/** Of a menu; an option's output stays with it when others move. */
export const menuOutputs = [
  'option_1',
  'option_2',
  'option_3',
  'option_4',
  'option_5',
  'option_6',
  'option_7',
  'option_8',
  'option_9',
  'option_10',
] as const

const menuOption = z.object({
  output: z.enum(menuOutputs),
  label: z.string().max(maximumMenuLabelLength),
  /** Choose it too; compared as the label is. */
  words: z.array(z.string().min(1).max(40)).max(10),
})

export const flowRequest = z.object({
  title: z.string().max(100),
  method: z.enum(requestMethods),
  /** Variables and secrets in address, headers and body: `request-template.ts`. */
  url: z.string().max(maximumRequestUrlLength),
  headers: z.array(z.object({ name: z.string().max(100), value: z.string().max(2000) })).max(maximumRequestHeaders),
  /** JSON, or empty; not sent with GET. */
  body: z.string().max(maximumRequestBodyLength),
  results: z.array(requestResult).max(maximumRequestResults),
})

/** Seconds; null: until the silence limit. */
const timeoutSeconds = z.int().min(1).max(maximumWaitSeconds).nullable()

/** An answer of another type is asked for again, so many times; the variable has the value as its type stores it. */
const answerCheck = z.object({
  type: z.enum(answerTypes),
  again: text,
  attempts: z.int().min(0).max(maximumMenuAttempts),
  /** Of the contact, which stores the value too; of the same type. */
  fieldId: contactFieldId.nullable().optional(),
})

export const flowOutput = z
  .enum(['true', 'false', 'answer', 'timeout', 'not_understood', ...menuOutputs, ...requestOutputs])
  .nullable()

/**
 * Names follow the specification; `delay`: seconds as text. Only zod's own functions, so the bundler can drop them (docs/decisions/0028).
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
      file: z
        .object({
          kind: z.enum(['image', 'video', 'audio', 'document']),
          fileName: z.string().max(255),
          file: messageFile,
        })
        .nullable(),
      /** Typing indicator before sending. */
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
      variable,
      timeoutSeconds,
      /** Absent: any answer, as before 2026-11-27. */
      check: answerCheck.optional(),
    }),
  }),
  z.object({
    id: nodeId,
    type: z.literal('menu'),
    position,
    data: z.object({
      text,
      options: z.array(menuOption).max(menuOutputs.length),
      /** Empty: the chosen label is not stored. */
      variable,
      /** Asks again after an answer that chooses nothing, so many times. */
      notUnderstood: text,
      attempts: z.int().min(0).max(maximumMenuAttempts),
      timeoutSeconds,
    }),
  }),
  z.object({
    id: nodeId,
    type: z.literal('request'),
    position,
    data: flowRequest,
  }),
  z.object({
    id: nodeId,
    type: z.literal('calculation'),
    position,
    data: z.object({
      /** '{quantidade} * {preco}': `calculate.ts`. */
      expression: z.string().max(maximumCalculationLength),
      variable,
      /** Null: as many as it takes. */
      decimals: z.int().min(0).max(maximumDecimals).nullable(),
      /** Of the contact, of numbers, which stores the value too. */
      fieldId: contactFieldId.nullable(),
    }),
  }),
  z.object({
    id: nodeId,
    type: z.literal('label'),
    position,
    data: z.object({ labelId: z.nullable(labelId), isLabelled: z.boolean() }),
  }),
  /** Sent first unless empty. */
  z.object({ id: nodeId, type: z.literal('handover'), position, data: z.object({ message: text }) }),
  /** The conversation is finished; `thanks` answers who only thanks afterwards, once. Both may be empty. */
  z.object({ id: nodeId, type: z.literal('finish'), position, data: z.object({ message: text, thanks: text }) }),
  /** Continues there, whatever triggers it. */
  z.object({ id: nodeId, type: z.literal('flow'), position, data: z.object({ flowId: z.nullable(flowId) }) }),
])

/** Null: single output; `true`/`false`: condition; `answer`/`timeout`: question, with `not_understood` if it checks; `option_…`/`not_understood`/`timeout`: menu; `success`/`failure`: request, calculation. */
export const flowLink = z.object({
  id: z.string().min(1).max(200),
  source: nodeId,
  target: nodeId,
  sourceHandle: flowOutput,
})

export const flowSettings = z.object({
  /** Restart for the same person; hours since the last end. */
  again: z.enum(['always', 'never', 'after']),
  againAfterHours: z.int().min(1).max(8760),
  /** Without an answer the run ends. */
  silenceHours: z.int().min(1).max(720),
  /** Empty: all lines. */
  connectionIds: z.array(connectionId).max(100),
})

/** Text beside the steps, for whoever draws; never executed. Its id is not a node's. */
const flowNote = z.object({ id: nodeId, position, text: z.string().max(maximumNoteLength) })

export const flowDocument = z.object({
  nodes: z.array(flowNode).max(maximumFlowNodes),
  links: z.array(flowLink).max(maximumFlowLinks),
  settings: flowSettings,
  /** Absent before 2026-11-27, and where there are none. */
  notes: z.array(flowNote).max(maximumFlowNotes).optional(),
})

export const storedDraft = z.object({ version: z.literal(1), document: flowDocument })

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
export type FlowNote = z.infer<typeof flowNote>
export type FlowOutput = FlowLink['sourceHandle']
export type FlowStart = z.infer<typeof flowStart>
export type AnswerCheck = z.infer<typeof answerCheck>
export type MenuOutput = (typeof menuOutputs)[number]
export type FlowTest = z.infer<typeof flowTest>
export type FlowSettings = z.infer<typeof flowSettings>

/** What the answer is compared with. */
export const textsOf = ({ values, value }: Extract<FlowTest, { kind: 'equals' | 'contains' }>): readonly string[] =>
  values ?? (value === undefined ? [] : [value])

/** In the log, for an erased account. */
export const erasedFlowDocument: FlowDocument = {
  nodes: [],
  links: [],
  settings: { again: 'always', againAfterHours: 24, silenceHours: 24, connectionIds: [] },
}

export const outputsOf = (node: FlowNode): readonly FlowOutput[] => {
  switch (node.type) {
    case 'condition':
      return ['true', 'false']
    case 'question':
      return node.data.check ? ['answer', 'not_understood', 'timeout'] : ['answer', 'timeout']
    case 'menu':
      return [...node.data.options.map(({ output }) => output), 'not_understood', 'timeout']
    case 'request':
    case 'calculation':
      return requestOutputs
    case 'handover':
    case 'finish':
    case 'flow':
      return []
    default:
      return [null]
  }
}

/** Waits for what the contact writes. */
export const isAsking = (node: FlowNode): node is FlowNodeOf<'question' | 'menu'> =>
  node.type === 'question' || node.type === 'menu'
