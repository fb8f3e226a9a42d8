import { type FlowNode, outputsOf } from '@prosa/contracts/flows/flow-document'
import { nodeTypeNames } from '@prosa/contracts/flows/node-name'
import { memo } from 'react'
import { Handle, type NodeProps, Position } from 'reactflow'
import { nodeIcons } from '../node-icons.ts'
import { outputName } from '../node-words.ts'
import { hasManyOutputs } from '../state/node-graph.ts'
import type { CanvasNodeData } from './to-canvas.ts'

/** One below the other, each with its handle at the right. */
const ManyOutputs = ({ node }: { node: FlowNode }) => (
  <ul className="flow-menu-outputs">
    {outputsOf(node).map((output) => (
      <li key={output} className="flow-menu-output">
        {outputName(output, node)}
        {output !== null && <Handle type="source" position={Position.Right} id={output} />}
      </li>
    ))}
  </ul>
)

/** The first output of a branching node leaves below, the second at the right (specification, 3). */
const Outputs = ({ node }: { node: CanvasNodeData['node'] }) => {
  if (hasManyOutputs(node)) return <ManyOutputs node={node} />
  const [first, second] = outputsOf(node)
  return (
    <>
      {first !== undefined && (
        <Handle type="source" position={Position.Bottom} {...(first !== null && { id: first })} />
      )}
      {typeof first === 'string' && <span className="flow-output flow-output-below">{outputName(first)}</span>}
      {typeof second === 'string' && (
        <>
          <Handle type="source" position={Position.Right} id={second} />
          <span className="flow-output flow-output-right">{outputName(second)}</span>
        </>
      )}
    </>
  )
}

const Badge = ({ severity, sentences }: Pick<CanvasNodeData, 'severity' | 'sentences'>) =>
  severity && (
    <span className={`flow-badge flow-badge-${severity}`} title={sentences}>
      {severity === 'error' ? 'Erro' : 'Aviso'}
    </span>
  )

export const NodeBox = memo(({ data, selected }: NodeProps<CanvasNodeData>) => {
  const { node, text, detail, isOff, severity, sentences, isCurrent, isFound } = data
  const Icon = nodeIcons[node.type]
  const state = [selected && 'flow-step-selected', isCurrent && 'flow-step-current', isFound && 'flow-step-found']
  return (
    <div className={['flow-step', `flow-step-${node.type}`, ...state].filter(Boolean).join(' ')}>
      {node.type !== 'trigger' && <Handle type="target" position={Position.Top} />}
      <button type="button" className="flow-step-body" aria-pressed={selected} data-step={node.id}>
        <span className="flow-step-head">
          <Icon aria-hidden="true" />
          <span className="flow-step-name">{nodeTypeNames[node.type]}</span>
          {isCurrent && <span className="flow-badge flow-badge-current">Aqui</span>}
          {isOff && <span className="flow-badge flow-badge-off">Desativado</span>}
          <Badge severity={severity} sentences={sentences} />
        </span>
        <span className="flow-step-text">{text}</span>
        {detail && <span className="flow-step-detail">{detail}</span>}
      </button>
      <Outputs node={node} />
    </div>
  )
})
NodeBox.displayName = 'NodeBox'
