import Button from '@mui/material/Button'
import type { Usage } from '@prosa/contracts/http/accounts/usage'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link } from 'react-router-dom'
import { NoticeBar } from '../components/notices/notice-bar.tsx'
import { currentUserQuery } from '../lib/account/current-user.ts'
import { usageQuery } from '../lib/account/usage.ts'
import { dateAndTime } from '../lib/format/format.ts'
import { billingTab } from '../lib/paths.ts'

/** Fallback where pushes do not arrive. */
const pollingMs = 30_000

const graceUntil = (afterEnd: Usage['afterEnd'], until: string): string =>
  afterEnd === 'free_plan'
    ? `os limites do seu plano valem até ${until}, depois vale o plano gratuito.`
    : `você ainda pode enviar até ${until}.`

interface Words {
  sentence: string
  more?: string
}

const wordsFor = ({ access, afterEnd, isTrialWithheld }: Usage, endsAt: string, graceEndsAt: string): Words => {
  const now = Date.now()
  if (access === 'grace')
    return {
      sentence: `Seu período terminou em ${dateAndTime(endsAt, now)}; ${graceUntil(afterEnd, dateAndTime(graceEndsAt, now))}`,
    }
  const sentence = isTrialWithheld
    ? 'O período de teste deste e-mail já foi usado. Escolha um plano para enviar.'
    : 'Seu período terminou. Escolha um plano para voltar a enviar.'
  return { sentence, more: 'O que seus clientes escrevem continua chegando.' }
}

export const SubscriptionNotice = () => {
  const queries = useQueryClient()
  const { data: usage } = useQuery({ ...usageQuery, refetchInterval: pollingMs })
  const access = usage?.access
  useEffect(() => {
    // The cached user still shows the ended subscription.
    if (access === 'open') void queries.invalidateQueries({ queryKey: currentUserQuery.queryKey })
  }, [access, queries])
  if (!usage?.endsAt || !usage.graceEndsAt || access === 'open') return null
  return (
    <NoticeBar {...wordsFor(usage, usage.endsAt, usage.graceEndsAt)}>
      <Button component={Link} to={billingTab('planos')} color="warning" variant="outlined" size="small">
        Escolher um plano
      </Button>
    </NoticeBar>
  )
}
