import Box from '@mui/material/Box'
import { useQuery } from '@tanstack/react-query'
import { LabelChip } from '../../../components/labels/label-chip.tsx'
import { labelsQuery } from '../../../lib/account/labels.ts'

interface Props {
  ids: readonly string[]
  /** Shows at most this many, compact, and the count of the rest. */
  max?: number
}

/** Deleted labels are not shown. */
export const LabelChips = ({ ids, max }: Props) => {
  const { data: labels = [] } = useQuery(labelsQuery)
  const all = labels.filter(({ id }) => ids.includes(id))
  if (all.length === 0) return null
  const shown = all.slice(0, max)
  const isNarrow = max !== undefined
  const names = all.map(({ name }) => name).join(', ')
  return (
    <Box
      component="span"
      role="img"
      aria-label={`Etiquetas: ${names}`}
      title={names}
      sx={{ display: 'flex', gap: 1, minWidth: 0, ...(isNarrow ? { pt: 0.5 } : { flexWrap: 'wrap' }) }}
    >
      {shown.map(({ id, name, colour }) => (
        <LabelChip key={id} colour={colour} isNarrow={isNarrow}>
          {name}
        </LabelChip>
      ))}
      {shown.length < all.length && (
        <LabelChip colour="gray" isNarrow={isNarrow}>
          +{all.length - shown.length}
        </LabelChip>
      )}
    </Box>
  )
}
