import Box from '@mui/material/Box'
import type { ReactNode } from 'react'

export const ComposerForm = ({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) => (
  <Box
    component="form"
    onSubmit={(event) => {
      event.preventDefault()
      onSubmit()
    }}
    sx={{
      position: 'relative',
      px: { xs: 2, md: 4 },
      py: 2,
      pb: 'max(8px, env(safe-area-inset-bottom))',
      bgcolor: 'surface',
      borderTop: '1px solid',
      borderColor: 'divider',
    }}
  >
    {children}
  </Box>
)
