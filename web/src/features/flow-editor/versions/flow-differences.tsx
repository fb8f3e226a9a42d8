import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { type ReactNode, useMemo } from 'react'
import { EmptyState } from '../../../components/empty-state.tsx'
import { type FlowNames, nodeName } from '../flow-words.ts'
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

interface Props {
  before: FlowDocument
  after: FlowDocument
  names: FlowNames
}

/** What differs between two flows, in words. */
export const FlowDifferences = ({ before, after, names }: Props) => {
  const found = useMemo(() => compareFlows(before, after, names), [before, after, names])
  if (found.isSame)
    return (
      <EmptyState
        title="Nenhuma diferença"
        sentence={`Os dois fazem o mesmo, com ${sizeWords(after)}. O lugar dos passos no desenho não conta.`}
      />
    )
  const firstWords = (node: FlowDocument['nodes'][number]) =>
    `${nodeName(node)}. ${describeNode(node, names)
      .map(({ label, value }) => `${label}: ${value}`)
      .join(' · ')}`
  return (
    <Box sx={{ display: 'grid', gap: 5, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      {found.added.length > 0 && (
        <Group title="Passos novos">
          <Sentences sentences={found.added.map(firstWords)} />
        </Group>
      )}
      {found.removed.length > 0 && (
        <Group title="Passos removidos">
          <Sentences sentences={found.removed.map(firstWords)} />
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
      {found.settings.length > 0 && (
        <Group title="Configurações">
          <FieldChanges about="configurações" fields={found.settings} />
        </Group>
      )}
    </Box>
  )
}
