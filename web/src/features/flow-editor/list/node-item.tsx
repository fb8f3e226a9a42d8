import Box from '@mui/material/Box'
import Checkbox from '@mui/material/Checkbox'
import type { FlowNode, FlowOutput } from '@prosa/contracts/flows/flow-document'
import type { FlowProblem } from '@prosa/contracts/flows/flow-problem'
import { nodeTypeNames } from '@prosa/contracts/flows/node-name'
import { memo, type ReactNode } from 'react'
import { type RowAction, RowMenu } from '../../../components/tables/row-menu.tsx'
import { nodeIcons } from '../node-icons.ts'
import { isOff, type Named, nodeTexts } from '../node-words.ts'

interface Props {
  node: FlowNode
  number: number
  named: Named
  problems: readonly FlowProblem[]
  isSelected: boolean
  isCurrent: boolean
  isFound: boolean
  actions: readonly RowAction[]
  onOpen: () => void
  onSelect: (isSelected: boolean) => void
  children: ReactNode
}

export interface Choosing {
  source: string
  output: FlowOutput
}

const Tag = ({ kind, children }: { kind: 'error' | 'warning' | 'off' | 'current'; children: ReactNode }) => {
  const colours = {
    error: { bgcolor: 'dangerSoft', color: 'danger' },
    warning: { bgcolor: 'warnSoft', color: 'warn' },
    off: { bgcolor: 'sunken', color: 'text.secondary' },
    current: { bgcolor: 'primary.main', color: 'primary.contrastText' },
  } as const
  return (
    <Box
      component="span"
      sx={{ px: 1.5, borderRadius: 'var(--radius-control)', typography: 'caption', fontWeight: 500, ...colours[kind] }}
    >
      {children}
    </Box>
  )
}

const bodyStyle = {
  display: 'grid',
  gap: 1,
  flex: 1,
  minWidth: 0,
  px: 2,
  py: 2,
  border: 0,
  borderRadius: 'var(--radius-control)',
  bgcolor: 'transparent',
  color: 'inherit',
  font: 'inherit',
  textAlign: 'left',
  cursor: 'pointer',
} as const

export const NodeItem = memo((props: Props) => {
  const { node, number, named, problems, isSelected, isCurrent, isFound, actions, onOpen, onSelect, children } = props
  const { text, detail } = nodeTexts(node, named)
  const Icon = nodeIcons[node.type]
  const name = `${number}. ${nodeTypeNames[node.type]}`
  return (
    <Box
      component="li"
      aria-current={isCurrent ? 'step' : undefined}
      sx={{
        listStyle: 'none',
        py: 2,
        borderBottom: '1px solid',
        borderColor: 'divider',
        bgcolor: isCurrent || isSelected ? 'primarySoft' : undefined,
        outline: isFound ? '2px solid var(--info)' : undefined,
        outlineOffset: -2,
        // With hundreds of steps, those out of view are not rendered.
        contentVisibility: 'auto',
        containIntrinsicSize: 'auto 120px',
      }}
    >
      <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 1 }}>
        <Checkbox
          checked={isSelected}
          onChange={(_, checked) => onSelect(checked)}
          slotProps={{ input: { 'aria-label': `Selecionar ${name}` } }}
        />
        <Box component="button" type="button" data-step={node.id} onClick={onOpen} sx={bodyStyle}>
          <Box component="span" sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
            <Icon aria-hidden="true" />
            <Box component="span" sx={{ fontWeight: 500 }}>
              {name}
            </Box>
            {isCurrent && <Tag kind="current">Aqui</Tag>}
            {isOff(node) && <Tag kind="off">Desativado</Tag>}
            {problems.map(({ kind, severity, sentence }) => (
              <Tag key={`${kind} ${sentence}`} kind={severity}>
                {sentence}
              </Tag>
            ))}
          </Box>
          <Box component="span" sx={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
            {text.length > 300 ? `${text.slice(0, 300)}…` : text}
          </Box>
          {detail && (
            <Box component="span" sx={{ color: 'text.secondary', typography: 'caption', overflowWrap: 'anywhere' }}>
              {detail}
            </Box>
          )}
        </Box>
        <RowMenu name={name} actions={actions} />
      </Box>
      <Box component="ul" aria-label={`Saídas de ${name}`} sx={{ m: 0, pl: { xs: 12, md: 14 }, pr: 2, py: 0 }}>
        {children}
      </Box>
    </Box>
  )
})
NodeItem.displayName = 'NodeItem'
