import { outputsOf } from '@prosa/contracts/flows/flow-document'
import { nodeTypeNames } from '@prosa/contracts/flows/node-name'
import { memo } from 'react'
import { Handle, type NodeProps, Position } from 'reactflow'
import { stepIcons } from '../step-icons.ts'
import { outputName } from '../step-words.ts'
import type { StepData } from './to-canvas.ts'

/** The first output of a branching node leaves below, the second at the right (specification, 3). */
const Outputs = ({ step }: { step: StepData['step'] }) => {
  const [first, second] = outputsOf(step.type)
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

const Badge = ({ severity, sentences }: Pick<StepData, 'severity' | 'sentences'>) =>
  severity && (
    <span className={`flow-badge flow-badge-${severity}`} title={sentences}>
      {severity === 'error' ? 'Erro' : 'Aviso'}
    </span>
  )

export const StepNode = memo(({ data, selected }: NodeProps<StepData>) => {
  const { step, text, detail, isOff, severity, sentences, isStanding, isFound } = data
  const Icon = stepIcons[step.type]
  const state = [selected && 'flow-step-selected', isStanding && 'flow-step-standing', isFound && 'flow-step-found']
  return (
    <div className={['flow-step', `flow-step-${step.type}`, ...state].filter(Boolean).join(' ')}>
      {step.type !== 'trigger' && <Handle type="target" position={Position.Top} />}
      <button type="button" className="flow-step-body" aria-pressed={selected} data-step={step.id}>
        <span className="flow-step-head">
          <Icon aria-hidden="true" />
          <span className="flow-step-name">{nodeTypeNames[step.type]}</span>
          {isStanding && <span className="flow-badge flow-badge-standing">Aqui</span>}
          {isOff && <span className="flow-badge flow-badge-off">Desativado</span>}
          <Badge severity={severity} sentences={sentences} />
        </span>
        <span className="flow-step-text">{text}</span>
        {detail && <span className="flow-step-detail">{detail}</span>}
      </button>
      <Outputs step={step} />
    </div>
  )
})
StepNode.displayName = 'StepNode'
