import Box from '@mui/material/Box'
import type { StatusTone } from '../lib/format/status-tone.ts'

const colours = { good: 'primary.main', busy: 'warn', info: 'info.main', bad: 'danger' } as const

/** Needs words beside it: colour alone is not accessible. */
export const StatusDot = ({ tone }: { tone: StatusTone }) => (
  <Box
    component="span"
    aria-hidden="true"
    sx={{
      flex: 'none',
      display: 'inline-block',
      width: 'var(--dot)',
      height: 'var(--dot)',
      borderRadius: '50%',
      bgcolor: colours[tone],
    }}
  />
)
