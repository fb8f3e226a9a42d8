import { type FlowNode, outputsOf } from '@prosa/contracts/flows/flow-document'
import { nodeTypeNames } from '@prosa/contracts/flows/node-name'
import { memo, useEffect, useRef } from 'react'
import { Handle, type NodeProps, Position, useUpdateNodeInternals } from 'reactflow'
import { nodeIcons } from '../node-icons.ts'
import { outputName } from '../node-words.ts'
import { hasManyOutputs } from '../state/node-graph.ts'
import type { CanvasNodeData } from './to-canvas.ts'

interface OutputsProps {
  node: FlowNode
  leftOutputs: readonly string[]
}

const positionOf = (output: string, leftOutputs: readonly string[]) =>
  leftOutputs.includes(output) ? Position.Left : Position.Right

/** One below the other, each with its handle on the side of its target. */
const ManyOutputs = ({ node, leftOutputs }: OutputsProps) => (
  <ul className="flow-menu-outputs">
    {outputsOf(node).map((output) => (
      <li key={output} className="flow-menu-output">
        {outputName(output, node)}
        {output !== null && <Handle type="source" position={positionOf(output, leftOutputs)} id={output} />}
      </li>
    ))}
  </ul>
)

/** The first output of a branching node leaves below, the second at the right (specification, 3), or at the left towards its target. */
const Outputs = ({ node, leftOutputs }: OutputsProps) => {
  if (hasManyOutputs(node)) return <ManyOutputs node={node} leftOutputs={leftOutputs} />
  const [first, second] = outputsOf(node)
  return (
    <>
      {first !== undefined && (
        <Handle type="source" position={Position.Bottom} {...(first !== null && { id: first })} />
      )}
      {typeof first === 'string' && <span className="flow-output flow-output-below">{outputName(first)}</span>}
      {typeof second === 'string' && (
        <>
          <Handle type="source" position={positionOf(second, leftOutputs)} id={second} />
          <span className={`flow-output flow-output-${positionOf(second, leftOutputs)}`}>{outputName(second)}</span>
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

export const NodeBox = memo(({ id, data, selected }: NodeProps<CanvasNodeData>) => {
  const { leftOutputs } = data
  const measureHandles = useUpdateNodeInternals()
  const measured = useRef(leftOutputs)
  useEffect(() => {
    if (measured.current === leftOutputs) return
    measured.current = leftOutputs
    measureHandles(id)
  }, [measureHandles, id, leftOutputs])
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
      <Outputs node={node} leftOutputs={leftOutputs.split(' ')} />
    </div>
  )
})
NodeBox.displayName = 'NodeBox'
