import Box from '@mui/material/Box'
import type { LabelColour } from '@prosa/contracts/values/label-colour'
import type { ReactNode } from 'react'

interface Props {
  colour: LabelColour
  isNarrow?: boolean
  children: ReactNode
}

export const LabelChip = ({ colour, isNarrow = false, children }: Props) => (
  <Box
    component="span"
    sx={{
      display: 'block',
      maxWidth: isNarrow ? 'var(--label-width)' : '100%',
      px: 1.5,
      py: isNarrow ? 0 : 0.5,
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
      typography: 'caption',
      fontWeight: 500,
      borderRadius: 'var(--radius-control)',
      color: `var(--label-${colour})`,
      bgcolor: `var(--label-${colour}-soft)`,
    }}
  >
    {children}
  </Box>
)
