import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import type { Dashboard } from '@prosa/contracts/http/dashboard'
import type { Queue } from '@prosa/contracts/http/live-chat'
import { type ReactNode, useId } from 'react'
import { Link } from 'react-router-dom'
import FlowIcon from '~icons/ic/round-account-tree'
import ForumIcon from '~icons/ic/round-forum'
import { panelStyle } from '../../components/layout/panel.tsx'
import { useCurrentUser } from '../../lib/account/current-user.ts'
import { daysLeftWords } from '../../lib/account/plan-end.ts'
import { queueAddress } from '../../lib/account/queue-address.tsx'
import { count, plainDate } from '../../lib/format/format.ts'
import { serverNow } from '../../lib/http/server-clock.ts'
import { billingTab, paths } from '../../lib/paths.ts'

const SideCard = ({ title, children }: { title: string; children: ReactNode }) => {
  const id = useId()
  return (
    <Box component="section" aria-labelledby={id} sx={{ ...panelStyle, display: 'grid', gap: 2, p: 4 }}>
      <Typography variant="h3" component="h2" id={id}>
        {title}
      </Typography>
      {children}
    </Box>
  )
}

const queues = [
  { label: 'Aguardando', tab: 'waiting' },
  { label: 'Com o robô', tab: 'bot' },
  { label: 'Em atendimento', tab: 'attending' },
  { label: 'Resolvidos', tab: 'resolved' },
] as const satisfies { label: string; tab: Queue }[]

const rowStyle = {
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: 3,
  minHeight: 'var(--target)',
  fontVariantNumeric: 'tabular-nums',
} as const

export const GeneralStats = ({ found, failed }: { found: Dashboard | undefined; failed: boolean }) => {
  const value = (text: string | undefined) => (
    <Typography component="span" variant="subtitle1">
      {text ?? (failed ? '–' : <Skeleton width="3ch" />)}
    </Typography>
  )
  return (
    <SideCard title="Estatísticas gerais">
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {queues.map(({ label, tab }) => (
          <li key={tab}>
            <Box
              component={Link}
              to={queueAddress(tab)}
              sx={{
                ...rowStyle,
                mx: -2,
                px: 2,
                borderRadius: 'var(--radius-control)',
                color: 'text.primary',
                textDecoration: 'none',
                '&:hover': { bgcolor: 'sunken' },
              }}
            >
              <span>{label}</span>
              {value(found && count(found.now[tab]))}
            </Box>
          </li>
        ))}
        <Box component="li" sx={rowStyle}>
          <span>Taxa de resolução</span>
          {value(found && `${found.now.resolutionPercent}%`)}
        </Box>
      </Box>
    </SideCard>
  )
}

export const DueDate = () => {
  const end = useCurrentUser()?.subscriptionEnd ?? null
  const left = daysLeftWords(end, serverNow() ?? Date.now())
  return (
    <SideCard title="Data de vencimento">
      <Box sx={{ ...rowStyle, flexWrap: 'wrap' }}>
        <Typography component="span" variant="h2">
          {end ? plainDate(end) : 'Sem data'}
        </Typography>
        {left && <Typography sx={{ color: 'text.secondary' }}>{left}</Typography>}
        <Button component={Link} to={billingTab('plano')} color="inherit" size="small">
          Ver plano
        </Button>
      </Box>
    </SideCard>
  )
}

export const QuickActions = () => (
  <SideCard title="Ações Rápidas">
    <Button component={Link} to={paths.liveChat} variant="contained" startIcon={<ForumIcon />}>
      Chat ao Vivo
    </Button>
    <Button component={Link} to={paths.automationBuilder} variant="outlined" color="inherit" startIcon={<FlowIcon />}>
      Criar Automação
    </Button>
  </SideCard>
)
