import Box from '@mui/material/Box'
import type { ReactNode } from 'react'

export const panelStyle = {
  bgcolor: 'surface',
  border: '1px solid',
  borderColor: 'divider',
  borderRadius: 'var(--radius-panel)',
} as const

export const Panel = ({ children }: { children: ReactNode }) => <Box sx={panelStyle}>{children}</Box>
