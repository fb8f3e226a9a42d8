import Box from '@mui/material/Box'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import type { FlowVersion } from '@prosa/contracts/http/flows'
import { useQuery } from '@tanstack/react-query'
import type { Ref } from 'react'
import { SelectField } from '../../../components/forms/select-field.tsx'
import { NotReadPanel } from '../../../components/notices/not-read-panel.tsx'
import { Spinner } from '../../../components/spinner.tsx'
import { useFlowNames } from '../use-flow-names.ts'
import { flowVersionQuery } from './api.ts'
import { FlowDifferences } from './flow-differences.tsx'

export type Compared = number | 'draft'

interface Props {
  ref: Ref<HTMLElement>
  flowId: string
  draft: FlowDocument
  versions: readonly FlowVersion[]
  before: Compared
  after: Compared
  onChange: (sides: { before: Compared; after: Compared }) => void
}

const useDocument = (flowId: string, side: Compared, draft: FlowDocument) => {
  const version = useQuery({ ...flowVersionQuery(flowId, Number(side)), enabled: side !== 'draft' })
  return side === 'draft'
    ? { document: draft, error: null, retry: () => undefined }
    : { document: version.data?.document, error: version.error, retry: () => void version.refetch() }
}

export const VersionComparison = ({ ref, flowId, draft, versions, before, after, onChange }: Props) => {
  const names = useFlowNames()
  const one = useDocument(flowId, before, draft)
  const other = useDocument(flowId, after, draft)
  const options = [
    { value: 'draft', label: 'Rascunho' },
    ...versions.map(({ version }) => ({ value: String(version), label: `Versão ${version}` })),
  ]
  const chosen = (value: string): Compared => (value === 'draft' ? 'draft' : Number(value))
  const error = one.error ?? other.error
  return (
    <Box
      component="section"
      ref={ref}
      tabIndex={-1}
      aria-label="Comparação"
      sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)', alignContent: 'start' }}
    >
      <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'repeat(2, minmax(0, 1fr))' }}>
        <SelectField
          label="De"
          value={String(before)}
          options={options}
          onChange={(value) => onChange({ before: chosen(value), after })}
        />
        <SelectField
          label="Para"
          value={String(after)}
          options={options}
          onChange={(value) => onChange({ before, after: chosen(value) })}
        />
      </Box>
      {one.document && other.document ? (
        <FlowDifferences before={one.document} after={other.document} names={names} />
      ) : error ? (
        <NotReadPanel
          title="A versão não pôde ser lida"
          error={error}
          onRetry={() => {
            if (one.error) one.retry()
            if (other.error) other.retry()
          }}
        />
      ) : (
        <Spinner />
      )}
    </Box>
  )
}
