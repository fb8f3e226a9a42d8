import Typography from '@mui/material/Typography'
import type { ServiceStatus } from '@prosa/contracts/http/live-chat'

export const statusNames: Record<ServiceStatus, string> = {
  waiting: 'Aguardando',
  attending: 'Atendendo',
  resolved: 'Resolvido',
}

export const StatusBadge = ({ status }: { status: ServiceStatus }) => (
  <Typography
    variant="caption"
    component="span"
    sx={{
      flexShrink: 0,
      px: 2,
      py: 0.5,
      fontWeight: 500,
      bgcolor: status === 'waiting' ? 'accentSoft' : 'sunken',
      color: status === 'waiting' ? 'accent' : 'text.primary',
      borderRadius: 'var(--radius-control)',
    }}
  >
    {statusNames[status]}
  </Typography>
)
