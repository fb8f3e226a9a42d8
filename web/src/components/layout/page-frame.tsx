import Box from '@mui/material/Box'
import type { ReactNode } from 'react'

type Props = {
  wide?: boolean
  children: ReactNode
}

export const PageFrame = ({ wide, children }: Props) => (
  <Box
    sx={{
      width: '100%',
      maxWidth: wide ? 'var(--wide-page-width)' : 'var(--page-width)',
      mx: 'auto',
      p: { xs: 4, md: 8 },
      display: 'grid',
      gap: 6,
      ...(wide && { gridTemplateColumns: 'minmax(0, 1fr)' }),
    }}
  >
    {children}
  </Box>
)
