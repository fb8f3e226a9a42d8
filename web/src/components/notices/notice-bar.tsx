import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'

interface Props {
  sentence: string
  more?: string
  moreActions?: ReactNode
  children: ReactNode
}

/** Hidden on a phone where a conversation or flow fills the screen. */
const whereRoom = (display: string) => ({
  display,
  'body:has([data-own-header]) &': { display: { xs: 'none', md: display } },
})

export const NoticeBar = ({ sentence, more, moreActions, children }: Props) => (
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
    <Typography
      sx={{
        flex: '1 1 280px',
        'body:has([data-own-header]) &': { flexBasis: { xs: 200, md: 280 } },
        minWidth: 0,
        textWrap: 'pretty',
        overflowWrap: 'anywhere',
      }}
    >
      {sentence}
      {more && (
        <Box component="span" sx={whereRoom('inline')}>
          {` ${more}`}
        </Box>
      )}
    </Typography>
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
      {moreActions && <Box sx={whereRoom('flex')}>{moreActions}</Box>}
      {children}
    </Box>
  </Box>
)
