import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ListedUser } from '@prosa/contracts/http/administration/admin-lists'
import type { SubscriptionStatus } from '@prosa/contracts/values/kiwify'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { daysLeft } from '../../../lib/account/plan-end.ts'
import { plural } from '../../../lib/format/format.ts'
import type { StatusTone } from '../../../lib/format/status-tone.ts'

export const statusNames: Record<SubscriptionStatus, string> = {
  active: 'Ativo',
  expired: 'Expirado',
  cancelled: 'Cancelado',
}

const tones: Record<SubscriptionStatus, StatusTone> = { active: 'good', expired: 'bad', cancelled: 'busy' }

const soonDays = 7

export const UserStatus = ({ user, nowMs }: { user: ListedUser; nowMs: number }) => {
  const { subscriptionStatus: status, subscriptionEnd, isTrial } = user
  const left = daysLeft(subscriptionEnd, nowMs)
  const notes = [
    isTrial && status === 'active' && 'período gratuito',
    status !== 'expired' && left > 0 && left <= soonDays && `expira em ${plural(left, 'dia', 'dias')}`,
  ].filter((note) => note !== false)
  return (
    <Box component="span" sx={{ display: 'inline-block' }}>
      <StatusBadge tone={tones[status]} label={statusNames[status]} />
      {notes.length > 0 && (
        <Typography component="span" variant="caption" sx={{ display: 'block', color: 'text.secondary' }}>
          {notes.join(' · ')}
        </Typography>
      )}
    </Box>
  )
}
