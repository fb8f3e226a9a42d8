import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'

interface Props {
  title: string
  /** What stands beside the title, also while it is folded. */
  summary: string
  children: ReactNode
}

/** A part of the panel that is folded away at first. */
export const Fold = ({ title, summary, children }: Props) => (
  <Box component="details" sx={{ px: 4, borderBottom: '1px solid', borderColor: 'divider' }}>
    <Box component="summary" sx={{ cursor: 'pointer', py: 2, minHeight: 'var(--target)' }}>
      <Typography component="span" variant="subtitle2">
        {title}
      </Typography>{' '}
      <Typography component="span" variant="caption" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
        {summary}
      </Typography>
    </Box>
    {children}
  </Box>
)
