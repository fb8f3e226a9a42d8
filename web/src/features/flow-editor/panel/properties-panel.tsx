import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import type { FlowDocument, FlowNode } from '@prosa/contracts/flows/flow-document'
import type { FlowProblem } from '@prosa/contracts/flows/flow-problem'
import { nodeTypeNames } from '@prosa/contracts/flows/node-name'
import { type Dispatch, useEffect, useRef } from 'react'
import { lazyPart } from '../../../components/layout/lazy-part.tsx'
import { SidePanel } from '../side-panel.tsx'
import type { FlowEdit } from '../state/flow-edits.ts'
import { CalculationFields } from './calculation-fields.tsx'
import { ConditionFields } from './condition-fields.tsx'
import { MenuFields } from './menu-fields.tsx'
import { MessageFields } from './message-fields.tsx'
import { DelayFields, FinishFields, FlowFields, HandoverFields, LabelFields, QuestionFields } from './other-fields.tsx'
import { RequestFields } from './request/request-fields.tsx'
import { TriggerFields } from './trigger-fields.tsx'

const NodeStatistics = lazyPart(async () => (await import('../statistics/node-statistics.tsx')).NodeStatistics)

interface Props {
  flowId: string
  node: FlowNode
  document: FlowDocument
  problems: readonly FlowProblem[]
  edit: Dispatch<FlowEdit>
  takesFocus: boolean
  onClose: () => void
}

const Fields = ({ node, document, flowId, edit }: Pick<Props, 'flowId' | 'node' | 'document' | 'edit'>) => {
  const shared = {
    document,
    flowId,
    onChange: (data: Partial<FlowNode['data']>, field?: string) =>
      edit({
        type: 'change',
        nodeId: node.id,
        data,
        typed: field === undefined ? undefined : { field, atMs: Date.now() },
      }),
  }
  switch (node.type) {
    case 'trigger':
      return <TriggerFields node={node} {...shared} />
    case 'message':
      return <MessageFields node={node} {...shared} />
    case 'delay':
      return <DelayFields node={node} {...shared} />
    case 'condition':
      return <ConditionFields node={node} {...shared} />
    case 'question':
      return <QuestionFields node={node} {...shared} />
    case 'menu':
      return <MenuFields node={node} {...shared} />
    case 'request':
      return <RequestFields node={node} {...shared} />
    case 'calculation':
      return <CalculationFields node={node} {...shared} />
    case 'label':
      return <LabelFields node={node} {...shared} />
    case 'handover':
      return <HandoverFields node={node} {...shared} />
    case 'finish':
      return <FinishFields node={node} {...shared} />
    case 'flow':
      return <FlowFields node={node} {...shared} />
  }
}

export const PropertiesPanel = ({ flowId, node, document, problems, edit, takesFocus, onClose }: Props) => {
  const content = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another node begins at its top
  useEffect(() => {
    if (content.current) content.current.scrollTop = 0
  }, [node.id])
  return (
    <SidePanel
      title="Propriedades"
      subtitle={nodeTypeNames[node.type]}
      takesFocusFor={takesFocus ? node.id : null}
      onClose={onClose}
    >
      <Box ref={content} sx={{ flex: 1, minHeight: 0, overflowY: 'auto', px: 4, pb: 4 }}>
        <Box key={node.id} sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 4 }}>
          {problems.map(({ kind, severity, sentence }) => (
            <Box
              key={`${kind} ${sentence}`}
              sx={{
                px: 3,
                py: 2,
                borderRadius: 'var(--radius-control)',
                bgcolor: severity === 'error' ? 'dangerSoft' : 'warnSoft',
                color: severity === 'error' ? 'danger' : 'warn',
              }}
            >
              {sentence}
            </Box>
          ))}
          <Fields node={node} document={document} flowId={flowId} edit={edit} />
          <NodeStatistics flowId={flowId} node={node} />
          <Button
            color="error"
            variant="outlined"
            onClick={() => edit({ type: 'delete', nodeIds: [node.id], linkIds: [] })}
            sx={{ justifySelf: 'start' }}
          >
            Excluir passo
          </Button>
        </Box>
      </Box>
    </SidePanel>
  )
}
