import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { plural } from '../../lib/format/format.ts'
import { wholeTime } from '../../lib/format/whole-time.ts'

interface Props {
  what: ReactNode
  /** Below it. */
  detail: ReactNode
  /** Between it and the count. */
  children?: ReactNode
  count: number
  lastAt: string
}

/** A list item: what happened, how often, and when last. */
export const CountedRow = ({ what, detail, children, count, lastAt }: Props) => (
  <Box
    component="li"
    sx={{
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'baseline',
      columnGap: 4,
      py: 2,
      '& + &': { borderTop: '1px solid', borderColor: 'divider' },
    }}
  >
    <Box sx={{ flex: '1 1 14em', minWidth: 0, overflowWrap: 'anywhere' }}>
      {what}
      <Typography component="span" variant="caption" sx={{ display: 'block', color: 'text.secondary' }}>
        {detail}
      </Typography>
    </Box>
    {children}
    <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
      {plural(count, 'vez', 'vezes')}
    </Box>
    <Typography component="span" variant="caption" sx={{ color: 'text.secondary', whiteSpace: 'nowrap' }}>
      última: {wholeTime(lastAt)}
    </Typography>
  </Box>
)
