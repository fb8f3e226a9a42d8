import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import type { User } from '@prosa/contracts/http/accounts/auth'
import type { Usage } from '@prosa/contracts/http/accounts/usage'
import { type WarnedPercent, warnedPercentOf, whatCounts } from '@prosa/contracts/values/plan'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import OpenIcon from '~icons/ic/round-open-in-new'
import { OwnHistoryButton } from '../../components/history/own/use-own-history.tsx'
import { panelStyle } from '../../components/layout/panel.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { OwnWhyButton } from '../../components/why/own-why.tsx'
import { WhyButton } from '../../components/why/why-button.tsx'
import { daysLeftWords, whatEnds } from '../../lib/account/plan-end.ts'
import { usageQuery } from '../../lib/account/usage.ts'
import { count, plainDate } from '../../lib/format/format.ts'
import { serverNow } from '../../lib/http/server-clock.ts'
import { billingTab } from '../../lib/paths.ts'
import { upgradeQuery } from './api.ts'

const monthAndYear = new Intl.DateTimeFormat('pt-BR', { month: 'long', year: 'numeric' })

const statuses: Record<User['subscriptionStatus'], string> = {
  active: 'Ativa',
  expired: 'Expirada',
  cancelled: 'Cancelada',
}

/** Specification, 4: 'pro' while the subscription is active and has not ended. */
const isPro = ({ subscriptionStatus, subscriptionEnd }: User, nowMs: number): boolean =>
  subscriptionStatus === 'active' && subscriptionEnd !== null && Date.parse(subscriptionEnd) > nowMs

const planName = (user: User, isActive: boolean, usage: Usage | undefined): string => {
  if (!isActive) return usage?.afterEnd === 'ended' ? 'Seu período terminou' : 'Plano Gratuito'
  if (user.isTrial === null) return 'Seu plano'
  if (user.isTrial) return 'Período Gratuito'
  return usage?.plan === 'enterprise' ? 'Plano Empresarial' : 'Plano Profissional'
}

/** '45 de 5.000', or '45 de ilimitadas'. */
const usedOf = ({ used, limit }: Usage['messages']): string =>
  `${count(used)} de ${limit === null ? 'ilimitadas' : count(limit)}`

interface UsedProps {
  name: string
  of: Usage['messages'] | undefined
  failed: boolean
  note: string | undefined
  /** What the figure counts. */
  counts: string
}

/** Its height is reserved while the usage is loading. */
const UsedItem = ({ name, of, failed, note, counts }: UsedProps) => (
  <Item name={name} note={note} counts={counts}>
    {of ? usedOf(of) : failed ? 'Não foi possível ler agora' : <Skeleton width="var(--thumb)" />}{' '}
    <OwnWhyButton of={{ kind: 'user', field: 'limits' }} what={name} />
  </Item>
)

const connectionsNote = (of: Usage['connections']) =>
  warnedPercentOf(of) === 100 ? 'As que já existem continuam. Para adicionar outra, escolha um plano maior.' : undefined

const messagesNotes: Record<WarnedPercent, string> = {
  80: 'Mais de 80% já foram enviadas.',
  100: 'Todas já foram enviadas. Escolha um plano maior ou espere o próximo mês.',
}

const messagesNote = (of: Usage['messages']) => {
  const percent = warnedPercentOf(of)
  return percent && messagesNotes[percent]
}

interface ItemProps {
  name: string
  note?: string | undefined
  counts?: string
  children: ReactNode
}

const Item = ({ name, note, counts, children }: ItemProps) => (
  <Box>
    <Typography component="dt" variant="caption" sx={{ color: 'text.secondary' }}>
      {name}
    </Typography>
    <Typography component="dd" variant="subtitle1" sx={{ m: 0, fontVariantNumeric: 'tabular-nums' }}>
      {children}
    </Typography>
    {note && (
      <Typography component="dd" variant="caption" sx={{ m: 0 }}>
        {note}
      </Typography>
    )}
    {counts && (
      <Typography component="dd" variant="caption" sx={{ m: 0, color: 'text.secondary', display: 'block' }}>
        {counts}
      </Typography>
    )}
  </Box>
)

const UpgradeButton = () => {
  const { data, isPending } = useQuery(upgradeQuery)
  if (isPending) return null
  return data?.url ? (
    <Button component="a" href={data.url} target="_blank" rel="noopener" variant="contained" endIcon={<OpenIcon />}>
      Fazer upgrade
    </Button>
  ) : (
    <Button component={Link} to={billingTab('planos')} variant="contained">
      Fazer upgrade
    </Button>
  )
}

export const CurrentPlanTab = ({ user }: { user: User }) => {
  const { subscriptionStatus, subscriptionEnd, createdAt, isTrial } = user
  const { data: usage, isError } = useQuery(usageQuery)
  const nowMs = serverNow() ?? Date.now()
  const isActive = isPro(user, nowMs)
  const freeLabel = usage?.afterEnd === 'ended' ? 'Encerrado' : 'Gratuito'
  const ends = usage && whatEnds(usage, nowMs)
  const left = daysLeftWords(subscriptionEnd, nowMs)
  const renews = subscriptionStatus === 'active' && subscriptionEnd !== null && isActive && isTrial === false
  return (
    <Box
      component="section"
      aria-labelledby="plan-name"
      sx={{ ...panelStyle, p: { xs: 4, md: 6 }, display: 'grid', gap: 6 }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3 }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography variant="h2" id="plan-name">
            {planName(user, isActive, usage)}
          </Typography>
          <Typography sx={{ color: 'text.secondary' }}>
            Ativo desde {monthAndYear.format(Date.parse(createdAt))}
          </Typography>
          {ends && <Typography sx={{ color: 'text.secondary', textWrap: 'pretty' }}>{ends}</Typography>}
          {usage?.isTrialWithheld && (
            <Typography sx={{ color: 'text.secondary' }}>O período de teste deste e-mail já foi usado.</Typography>
          )}
        </Box>
        <StatusBadge tone={isActive ? 'good' : 'info'} label={isActive ? 'Ativo' : freeLabel} />
      </Box>
      <Box
        component="dl"
        sx={{ m: 0, display: 'grid', gap: 4, gridTemplateColumns: { xs: '1fr', sm: 'repeat(2, minmax(0, 1fr))' } }}
      >
        <UsedItem
          name="Mensagens usadas neste mês"
          of={usage?.messages}
          failed={isError}
          note={usage && messagesNote(usage.messages)}
          counts={whatCounts.messages}
        />
        <UsedItem
          name="Conexões do WhatsApp"
          of={usage?.connections}
          failed={isError}
          note={usage && connectionsNote(usage.connections)}
          counts={whatCounts.connections}
        />
        <Item name={renews ? 'Próxima renovação' : 'Acesso até'}>
          {subscriptionEnd === null || usage?.isTrialWithheld ? '–' : plainDate(subscriptionEnd)}
          {left && ` (${left})`} <WhyButton of={{ kind: 'user', id: user.id, field: 'access' }} what="Acesso até" />
        </Item>
        <Item name="Status da assinatura">
          {statuses[subscriptionStatus]}{' '}
          <WhyButton of={{ kind: 'user', id: user.id, field: 'status' }} what="Status da assinatura" />
        </Item>
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        {(!isActive || isTrial) && <UpgradeButton />}
        <OwnHistoryButton target={{ title: 'Plano e compras', filters: { kind: 'plan' } }} />
      </Box>
    </Box>
  )
}
