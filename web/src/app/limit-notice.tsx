import Button from '@mui/material/Button'
import type { Usage } from '@prosa/contracts/http/accounts/usage'
import { type WarnedPercent, whatCounts } from '@prosa/contracts/values/plan'
import { saoPauloMonth } from '@prosa/contracts/values/time/sao-paulo'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { NoticeBar } from '../components/notices/notice-bar.tsx'
import { usageQuery } from '../lib/account/usage.ts'
import { personalKey } from '../lib/browser/personal-storage.ts'
import { count } from '../lib/format/format.ts'
import { billingTab } from '../lib/paths.ts'

/** While it is shown its figures grow with what is sent. */
const pollingMs = 30_000

const day = new Intl.DateTimeFormat('pt-BR', { timeZone: 'America/Sao_Paulo', day: 'numeric', month: 'long' })

const sentenceOf = ({ messages: { used, limit }, periodStart }: Usage, percent: WarnedPercent): string => {
  const next = day.format(Date.parse(saoPauloMonth(periodStart).until))
  return percent === 100
    ? `As ${count(limit ?? 0)} mensagens do mês já foram enviadas. Nada mais sai até ${next}; o que seus clientes escrevem continua chegando.`
    : `${count(used)} das ${count(limit ?? 0)} mensagens do mês já foram enviadas. Ao chegar ao limite, nada mais sai até ${next}.`
}

interface Props {
  usage: Usage
  percent: WarnedPercent
}

/** The first warning can be put away for its month and limit; the last one says why nothing is sent, and stays. */
export const LimitNotice = ({ usage, percent }: Props) => {
  useQuery({ ...usageQuery, refetchInterval: pollingMs })
  const put = `${usage.periodStart} ${usage.messages.limit}`
  const key = personalKey('limit-notice')
  const [away, setAway] = useState(() => localStorage.getItem(key))
  if (percent < 100 && away === put) return null
  const putAway = () => {
    localStorage.setItem(key, put)
    setAway(put)
  }
  return (
    <NoticeBar
      sentence={sentenceOf(usage, percent)}
      more={whatCounts.messages}
      moreActions={
        percent < 100 && (
          <Button color="inherit" size="small" onClick={putAway}>
            Agora não
          </Button>
        )
      }
    >
      <Button component={Link} to={billingTab('planos')} color="warning" variant="outlined" size="small">
        Ver planos
      </Button>
    </NoticeBar>
  )
}
