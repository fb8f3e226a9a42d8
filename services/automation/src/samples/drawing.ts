import type {
  FlowDocument,
  FlowLink,
  FlowNode,
  FlowNodeOf,
  FlowOutput,
  FlowStart,
  FlowTest,
} from '@prosa/contracts/flows/flow-document'
import { newFlowSettings } from '@prosa/contracts/flows/new-node'

/** Coordinates on the canvas, from 0. */
type Cell = readonly [column: number, row: number]

/** Multiples of the editor's grid of 15. */
const positionOf = ([column, row]: Cell) => ({ x: 90 + 360 * column, y: 90 + 210 * row })

const firstId = 'inicio'

export const starts = (trigger: string, start: FlowStart): FlowNode => ({
  id: firstId,
  type: 'trigger',
  position: positionOf([0, 0]),
  data: { trigger, enabled: true, start },
})

export const startsByWords = (trigger: string, ...words: string[]): FlowNode =>
  starts(trigger, { kind: 'keyword', words, match: 'contains' })

export const says = (id: string, cell: Cell, title: string, message: string): FlowNode => ({
  id,
  type: 'message',
  position: positionOf(cell),
  data: { title, message, enabled: true, file: null, typingSeconds: 2 },
})

export const asks = (
  id: string,
  cell: Cell,
  question: string,
  variable: string,
  timeoutSeconds: number | null = null,
): FlowNodeOf<'question'> => ({
  id,
  type: 'question',
  position: positionOf(cell),
  data: { question, variable, timeoutSeconds },
})

export const decides = (id: string, cell: Cell, condition: string, test: FlowTest): FlowNode => ({
  id,
  type: 'condition',
  position: positionOf(cell),
  data: { condition, test },
})

export const rests = (id: string, cell: Cell, seconds: number, description: string): FlowNode => ({
  id,
  type: 'delay',
  position: positionOf(cell),
  data: { delay: String(seconds), description },
})

export const handsOver = (id: string, cell: Cell, message: string): FlowNode => ({
  id,
  type: 'handover',
  position: positionOf(cell),
  data: { message },
})

export type Step = readonly [source: string, target: string, output?: Exclude<FlowOutput, null>]

const linkOf = ([source, target, output]: Step): FlowLink => ({
  id: `${source}-${output ?? 'fim'}-${target}`,
  source,
  target,
  sourceHandle: output ?? null,
})

export const drawing = (
  nodes: readonly FlowNode[],
  steps: readonly Step[],
  settings: Partial<FlowDocument['settings']> = {},
): FlowDocument => ({
  nodes: [...nodes],
  links: steps.map(linkOf),
  settings: { ...newFlowSettings, ...settings },
})

export const hour = 3600
export const day = 24 * hour
