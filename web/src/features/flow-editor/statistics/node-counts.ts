import type { FlowNode, FlowOutput } from '@prosa/contracts/flows/flow-document'
import { outputsOf } from '@prosa/contracts/flows/flow-document'
import type { FlowNodeStatistics, FlowStatistics } from '@prosa/contracts/http/flow-runs'
import { count } from '../../../lib/format/format.ts'
import { outputName } from '../node-words.ts'

interface NodeCount {
  label: string
  value: string
  /** Percentage of the runs that reached the node. */
  share?: string
}

const percent = new Intl.NumberFormat('pt-BR', { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** '12,5%'; '0%' if `whole` is 0. */
const share = (part: number, whole: number): string => (whole === 0 ? '0%' : percent.format(Math.min(1, part / whole)))

export const noCounts = (nodeId: string): FlowNodeStatistics => ({
  nodeId,
  entered: 0,
  sent: 0,
  delivered: 0,
  read: 0,
  clicked: 0,
  droppedOff: 0,
  outputs: {},
})

const outputCounts = (node: FlowNode, { outputs, entered }: FlowNodeStatistics): NodeCount[] =>
  outputsOf(node)
    .filter((output): output is NonNullable<FlowOutput> => output !== null)
    .map((output) => {
      const taken = outputs[output] ?? 0
      return { label: outputName(output, node), value: count(taken), share: share(taken, entered) }
    })

/** The executions of the trigger are those of the flow. */
export const nodeCounts = (node: FlowNode, statistics: FlowStatistics): NodeCount[] => {
  const of = statistics.nodes.find(({ nodeId }) => nodeId === node.id) ?? noCounts(node.id)
  const passed = { label: 'Passagens', value: count(of.entered) }
  const dropped = { label: 'Pararam aqui', value: count(of.droppedOff), share: share(of.droppedOff, of.entered) }
  switch (node.type) {
    case 'trigger':
      return [
        { label: 'Execuções', value: count(statistics.executions) },
        { label: 'CTR', value: share(statistics.clickedExecutions, statistics.executions) },
        { label: 'Em andamento', value: count(statistics.running) },
      ]
    case 'message':
      return [
        { label: 'Enviadas', value: count(of.sent) },
        { label: 'Entregues', value: share(of.delivered, of.sent) },
        { label: 'Lidas', value: share(of.read, of.sent) },
        { label: 'Clicadas', value: share(of.clicked, of.sent) },
        dropped,
      ]
    case 'question':
    case 'menu':
    case 'request':
    case 'calculation':
      return [passed, ...outputCounts(node, of), dropped]
    case 'condition':
      return [passed, ...outputCounts(node, of), dropped]
    case 'handover':
    case 'finish':
      return [passed, { label: 'Enviadas', value: count(of.sent) }]
    case 'delay':
      return [passed, dropped]
    case 'label':
    case 'flow':
      return [passed]
  }
}
