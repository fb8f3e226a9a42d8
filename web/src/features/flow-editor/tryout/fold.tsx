import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'

interface Props {
  title: string
  summary: string
  children: ReactNode
}

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
