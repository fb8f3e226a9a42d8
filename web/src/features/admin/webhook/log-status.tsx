import Box from '@mui/material/Box'
import type { WebhookLogStatus } from '@prosa/contracts/http/accounts/webhook-logs'
import { StatusDot } from '../../../components/status-dot.tsx'
import { statusWords } from './webhook-words.ts'

export const LogStatus = ({ status }: { status: WebhookLogStatus }) => {
  const { label, tone } = statusWords[status]
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 2, whiteSpace: 'nowrap' }}>
      <StatusDot tone={tone} />
      {label}
    </Box>
  )
}
