import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { nodeName } from '@prosa/contracts/flows/node-name'
import { type ReactNode, useMemo } from 'react'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import type { FlowNames } from '../flow-words.ts'
import { compareFlows } from './compare-flows.ts'
import { describeNode, sizeWords } from './describe-node.ts'
import { FieldChanges } from './field-changes.tsx'

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <Box component="section" sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
    <Typography variant="h3">{title}</Typography>
    {children}
  </Box>
)

const Sentences = ({ sentences }: { sentences: readonly string[] }) => (
  <Box component="ul" sx={{ m: 0, pl: 5, overflowWrap: 'anywhere' }}>
    {sentences.map((sentence) => (
      <li key={sentence}>{sentence}</li>
    ))}
  </Box>
)

/** Default values of a new node. */
const usual = new Set(['vazio', 'nenhum', 'não aparece', 'Ativado'])

const Nodes = ({ nodes, names }: { nodes: FlowDocument['nodes']; names: FlowNames }) => (
  <Box component="ul" sx={{ m: 0, pl: 5, display: 'grid', gap: 2, overflowWrap: 'anywhere' }}>
    {nodes.map((node) => (
      <li key={node.id}>
        {nodeName(node)}
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
          {describeNode(node, names)
            .filter(({ value }) => !usual.has(value))
            .map(({ label, value }) => `${label}: ${value}`)
            .join(' · ')}
        </Typography>
      </li>
    ))}
  </Box>
)

interface Props {
  before: FlowDocument
  after: FlowDocument
  names: FlowNames
}

export const FlowDifferences = ({ before, after, names }: Props) => {
  const found = useMemo(() => compareFlows(before, after, names), [before, after, names])
  if (found.isSame)
    return (
      <EmptyState
        title="Nenhuma diferença"
        sentence={`Os dois fazem o mesmo, com ${sizeWords(after)}. O lugar dos passos e das notas no desenho não conta.`}
      />
    )
  return (
    <Box sx={{ display: 'grid', gap: 5, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      {found.added.length > 0 && (
        <Group title="Passos novos">
          <Nodes nodes={found.added} names={names} />
        </Group>
      )}
      {found.removed.length > 0 && (
        <Group title="Passos removidos">
          <Nodes nodes={found.removed} names={names} />
        </Group>
      )}
      {found.changed.length > 0 && (
        <Group title="Passos mudados">
          {found.changed.map(({ node, fields }) => (
            <Box key={node.id} sx={{ pb: 3, '& + &': { borderTop: '1px solid', borderColor: 'divider', pt: 3 } }}>
              <Typography variant="subtitle2" component="h4" sx={{ mb: 1, overflowWrap: 'anywhere' }}>
                {nodeName(node)}
              </Typography>
              <FieldChanges about={nodeName(node)} fields={fields} />
            </Box>
          ))}
        </Group>
      )}
      {found.linksAdded.length > 0 && (
        <Group title="Ligações novas">
          <Sentences sentences={found.linksAdded} />
        </Group>
      )}
      {found.linksRemoved.length > 0 && (
        <Group title="Ligações removidas">
          <Sentences sentences={found.linksRemoved} />
        </Group>
      )}
      {found.notes.length > 0 && (
        <Group title="Notas">
          <FieldChanges about="notas" fields={found.notes} />
        </Group>
      )}
      {found.settings.length > 0 && (
        <Group title="Configurações">
          <FieldChanges about="configurações" fields={found.settings} />
        </Group>
      )}
    </Box>
  )
}
