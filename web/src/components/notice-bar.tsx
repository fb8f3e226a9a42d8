import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'

/** A line below the header of every screen: what holds the account up, and the ways on. */
export const NoticeBar = ({ sentence, children }: { sentence: string; children: ReactNode }) => (
  <Box
    role="status"
    sx={{
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'center',
      flex: 'none',
      columnGap: 4,
      rowGap: 1,
      px: 4,
      py: 2,
      bgcolor: 'warnSoft',
      borderBottom: '1px solid',
      borderColor: 'divider',
    }}
  >
    <Typography sx={{ flex: '1 1 280px', minWidth: 0, textWrap: 'pretty', overflowWrap: 'anywhere' }}>
      {sentence}
    </Typography>
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>{children}</Box>
  </Box>
)
