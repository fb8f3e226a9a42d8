import Box from '@mui/material/Box'
import type { ElementType, ReactNode } from 'react'

export const notSeen = {
  position: 'absolute',
  m: 0,
  width: '1px',
  height: '1px',
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
} as const

export const ScreenReaderText = ({ as = 'span', children }: { as?: ElementType; children: ReactNode }) => (
  <Box component={as} sx={notSeen}>
    {children}
  </Box>
)
