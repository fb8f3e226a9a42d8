import Box from '@mui/material/Box'
import type { StatusTone } from '../lib/format/status-tone.ts'
import { StatusDot } from './status-dot.tsx'

export const StatusBadge = ({ tone, label }: { tone: StatusTone; label: string }) => (
  <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 2, whiteSpace: 'nowrap' }}>
    <StatusDot tone={tone} />
    {label}
  </Box>
)
