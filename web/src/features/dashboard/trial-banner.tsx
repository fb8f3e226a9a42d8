import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { User } from '@prosa/contracts/http/accounts/auth'
import type { Usage } from '@prosa/contracts/http/accounts/usage'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { useCurrentUser } from '../../lib/account/current-user.ts'
import { daysLeft, limitWords } from '../../lib/account/plan-end.ts'
import { usageQuery } from '../../lib/account/usage.ts'
import { serverNow } from '../../lib/http/server-clock.ts'
import { billingTab } from '../../lib/paths.ts'

/** 0 when the trial is over or the subscription is not active. `nowMs` since 1970. */
export const trialDaysLeft = ({ subscriptionStatus, subscriptionEnd, isTrial }: User, nowMs: number): number =>
  isTrial && subscriptionStatus === 'active' ? daysLeft(subscriptionEnd, nowMs) : 0

/** Specification, 2. */
export const trialSentence = (days: number): string =>
  days === 1 ? 'Último dia do seu período gratuito' : `Você tem ${days} dias restantes do período gratuito`

const limitsOf = ({ messages, connections }: Usage): string =>
  `Sua conta está no plano gratuito: ${limitWords({ messages: messages.limit, connections: connections.limit })}.`

interface Shown {
  title: string
  sentence: string
}

/** Undefined for paying users, and while the notice above every screen reports the end. */
const shownOf = (user: User, usage: Usage | undefined): Shown | undefined => {
  const days = trialDaysLeft(user, serverNow() ?? Date.now())
  if (days > 0) return { title: 'Período Gratuito Ativo', sentence: trialSentence(days) }
  if (usage?.afterEnd !== 'free_plan' || usage.plan !== 'free') return undefined
  const title = usage.isTrialWithheld ? 'O período de teste deste e-mail já foi usado' : 'Seu período terminou'
  return { title, sentence: limitsOf(usage) }
}

export const TrialBanner = () => {
  const user = useCurrentUser()
  const { data: usage } = useQuery({ ...usageQuery, enabled: user?.subscriptionStatus === 'expired' })
  const shown = user && shownOf(user, usage)
  if (!shown) return null
  return (
    <Box
      role="note"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        justifyContent: 'space-between',
        gap: 3,
        bgcolor: 'infoSoft',
        color: 'info.main',
        borderRadius: 'var(--radius-panel)',
        px: 4,
        py: 3,
      }}
    >
      <Box sx={{ minWidth: 0 }}>
        <Typography variant="subtitle2" component="p">
          {shown.title}
        </Typography>
        <Typography>{shown.sentence}</Typography>
      </Box>
      <Button component={Link} to={billingTab('planos')} variant="outlined" color="inherit">
        Adquirir Plano
      </Button>
    </Box>
  )
}
