import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { panelStyle } from '../layout/panel.tsx'

/** Holds a button for each value of one record. */
export const WhyRow = ({ children }: { children: ReactNode }) => (
  <Box
    component="section"
    aria-label="Por que está assim"
    sx={{ ...panelStyle, display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2, px: 4, py: 2 }}
  >
    <Typography sx={{ color: 'text.secondary' }}>Por que está assim?</Typography>
    {children}
  </Box>
)
