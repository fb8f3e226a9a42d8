import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import type { FlowNode } from '@prosa/contracts/flows/flow-document'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { sentenceOf } from '../../../lib/http/http.ts'
import { flowStatisticsQuery } from './api.ts'
import { nodeCounts } from './node-counts.ts'

interface Props {
  flowId: string
  node: FlowNode
}

const Counts = ({ flowId, node }: Props) => {
  const { data, error, refetch } = useQuery(flowStatisticsQuery(flowId))
  if (data === undefined && error)
    return (
      <Box role="alert">
        <Typography sx={{ color: 'text.secondary' }}>
          {sentenceOf(error, 'Os números não puderam ser lidos.')}
        </Typography>
        <Button size="small" onClick={() => void refetch()}>
          Tentar de novo
        </Button>
      </Box>
    )
  if (data === undefined) return <Skeleton variant="rounded" height="var(--row-height)" aria-label="Carregando..." />
  return (
    <Box
      component="dl"
      sx={{ m: 0, display: 'grid', gap: 3, gridTemplateColumns: 'repeat(3, minmax(0, 1fr))', alignItems: 'start' }}
    >
      {nodeCounts(node, data).map(({ label, value, share: part }) => (
        <Box key={label} sx={{ display: 'flex', flexDirection: 'column-reverse', justifyContent: 'flex-end' }}>
          <Typography component="dt" variant="caption" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
            {label}
          </Typography>
          <Typography component="dd" variant="subtitle1" sx={{ m: 0, fontVariantNumeric: 'tabular-nums' }}>
            {value}
            {part !== undefined && (
              <Typography component="span" variant="caption" sx={{ color: 'text.secondary', whiteSpace: 'nowrap' }}>
                {' '}
                {part}
              </Typography>
            )}
          </Typography>
        </Box>
      ))}
    </Box>
  )
}

export const NodeStatistics = ({ flowId, node }: Props) => {
  const id = useId()
  return (
    <Box
      component="section"
      aria-labelledby={id}
      sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}
    >
      <Typography variant="h3" id={id}>
        Estatísticas
      </Typography>
      <Counts flowId={flowId} node={node} />
    </Box>
  )
}
