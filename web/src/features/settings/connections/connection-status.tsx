import Box from '@mui/material/Box'
import type { ConnectionStatus } from '@prosa/contracts/http/connections'
import { StatusDot } from '../../../components/status-dot.tsx'
import { statusLabels, statusTones } from './connection-words.ts'

/** Changes are announced to screen readers. */
export const ConnectionStatusLine = ({ status }: { status: ConnectionStatus }) => (
  <Box role="status" sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
    <StatusDot tone={statusTones[status]} />
    {statusLabels[status]}
  </Box>
)
