import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { User } from '@prosa/contracts/http/accounts/auth'
import type { Usage } from '@prosa/contracts/http/accounts/usage'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { useCurrentUser } from '../../lib/current-user.ts'
import { count, plural } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { serverNow } from '../../lib/server-clock.ts'
import { usageQuery } from '../../lib/usage.ts'
import { trialDaysLeft, trialSentence } from './trial-days.ts'

const limitsOf = ({ messages, connections }: Usage): string =>
  messages.limit === null || connections.limit === null
    ? 'Sua conta está no plano gratuito.'
    : `Sua conta está no plano gratuito: ${count(messages.limit)} mensagens por mês e ${plural(connections.limit, 'conexão', 'conexões')}.`

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
      <Button component={Link} to={paths.billing} variant="outlined" color="inherit">
        Adquirir Plano
      </Button>
    </Box>
  )
}
