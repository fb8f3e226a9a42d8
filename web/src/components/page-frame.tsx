import Box from '@mui/material/Box'
import type { ReactNode } from 'react'

/** The width and the margins of a screen, with its parts one under the other. */
export const PageFrame = ({ children }: { children: ReactNode }) => (
  <Box sx={{ width: '100%', maxWidth: 'var(--page-width)', mx: 'auto', p: { xs: 4, md: 8 }, display: 'grid', gap: 6 }}>
    {children}
  </Box>
)
