import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'

interface Props {
  /** What has to be known on every screen. */
  sentence: string
  /** What follows where there is room. */
  more?: string
  moreActions?: ReactNode
  /** The way on. */
  children: ReactNode
}

/** Left out on a phone where a conversation or a flow has the screen for itself. */
const whereRoom = (display: string) => ({
  display,
  'body:has([data-own-header]) &': { display: { xs: 'none', md: display } },
})

/** A line below the header of every screen: what holds the account up, and the ways on. */
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
