import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import type { Connection } from '@prosa/contracts/http/connections'
import type { Dashboard } from '@prosa/contracts/http/dashboard'
import type { LastDays } from '@prosa/contracts/values/time/last-days'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { ChoiceGroup } from '../../components/forms/choice-group.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { PageHeading } from '../../components/layout/page-heading.tsx'
import { panelStyle } from '../../components/layout/panel.tsx'
import { ConfirmEmailNotice } from '../../components/notices/confirm-email-notice.tsx'
import { Notice } from '../../components/notices/notice.tsx'
import { connectionsQuery, isConnected, nameAndNumber, numbersDown, numbersOf } from '../../lib/account/connections.ts'
import { useCurrentUser } from '../../lib/account/current-user.ts'
import { ApiProblem, sentenceOf } from '../../lib/http/http.ts'
import { settingsSection } from '../../lib/paths.ts'
import { dashboardQuery, type Period, projectsQuery, useDashboardPushes } from './api.ts'
import { Automations } from './automations.tsx'
import { Charts } from './charts.tsx'
import { FirstSteps, lineSentence } from './first-steps.tsx'
import { PeriodForm } from './period-form.tsx'
import { usePeriod } from './period-in-address.ts'
import { DueDate, GeneralStats, QuickActions } from './side-cards.tsx'
import { StatCards } from './stat-cards.tsx'
import { TrialBanner } from './trial-banner.tsx'

const namedAtMost = 5

const numbersDownSentenceOf = (connection: Connection): string => {
  const { line, statusReason } = connection
  const why = line === 'recovering' ? 'O Prosa está reconectando.' : (statusReason ?? '')
  return `${nameAndNumber(connection)} está desconectado. ${why}`
}

/** Shown only if there are several numbers, even if another one is connected. */
const NumbersDown = ({ connections }: { connections: readonly Connection[] }) => {
  const down = numbersDown(connections)
  if (numbersOf(connections).length < 2 || down.length === 0) return null
  const more = down.length - namedAtMost
  return (
    <Notice kind="warning">
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 4, rowGap: 2 }}>
        <Box sx={{ flex: '1 1 16rem', minWidth: 0 }}>
          {down.slice(0, namedAtMost).map((connection) => (
            <Typography key={connection.id}>{numbersDownSentenceOf(connection)}</Typography>
          ))}
          {more > 0 && <Typography>{`E mais ${more}.`}</Typography>}
          <Typography variant="caption" component="p">
            As respostas por um número desconectado esperam até ele voltar.
          </Typography>
        </Box>
        <Button component={Link} to={settingsSection('conexoes')} color="warning" variant="outlined">
          Abrir Conexões
        </Button>
      </Box>
    </Notice>
  )
}

const isRefusedPeriod = (error: unknown) =>
  error instanceof ApiProblem && (error.errorOf('from') ?? error.errorOf('to')) !== undefined

const NotLoaded = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => (
  <Box
    role="alert"
    sx={{ ...panelStyle, display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3, px: 4, py: 3 }}
  >
    {isRefusedPeriod(error) ? (
      <Typography>Escolha outras datas para ver os números.</Typography>
    ) : (
      <>
        <Typography sx={{ flex: '1 1 0' }}>{sentenceOf(error, 'Os números não puderam ser carregados.')}</Typography>
        <Button onClick={onRetry}>Tentar de novo</Button>
      </>
    )}
  </Box>
)

interface NumbersProps {
  found: Dashboard | undefined
  error: unknown
  withPeriod: boolean
  onRetry: () => void
}

const Numbers = ({ found, error, withPeriod, onRetry }: NumbersProps) => {
  const projects = useQuery(projectsQuery)
  const isMissing = !found && error !== null
  return (
    <>
      {isMissing ? <NotLoaded error={error} onRetry={onRetry} /> : <StatCards found={found} projects={projects.data} />}
      <Box
        sx={{
          display: 'grid',
          gap: 4,
          alignItems: 'start',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) var(--details-width)' },
        }}
      >
        <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
          {withPeriod && !isMissing && <Charts found={found} />}
          <Automations projects={projects.data} failed={projects.isError} onRetry={() => void projects.refetch()} />
        </Box>
        <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
          <GeneralStats found={found} failed={isMissing} />
          <DueDate />
          <QuickActions />
        </Box>
      </Box>
    </>
  )
}

const lastDaysChoices: { value: LastDays; label: string }[] = [
  { value: '1', label: 'Hoje' },
  { value: '7', label: '7 dias' },
  { value: '30', label: '30 dias' },
]

const noDates = { from: '', to: '' }

const datesOf = (of: Period | Dashboard | undefined) => of && 'from' in of && { from: of.from, to: of.to }

const Statistics = () => {
  const { period, lastDays, setDates, setLastDays } = usePeriod()
  const { data: found, error, refetch } = useQuery(dashboardQuery(period))
  useDashboardPushes()
  const withPeriod = useCurrentUser()?.company.analytics ?? true
  return (
    <>
      {withPeriod && (
        <Box component="section" aria-labelledby="period-title" sx={{ display: 'grid', gap: 3 }}>
          <Box
            sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', justifyContent: 'space-between', gap: 3 }}
          >
            <Typography variant="h2" id="period-title">
              Estatísticas por período
            </Typography>
            <ChoiceGroup label="Últimos dias" choices={lastDaysChoices} value={lastDays} onChange={setLastDays} />
          </Box>
          <PeriodForm {...(datesOf(period) || datesOf(found) || noDates)} problem={error} onPeriod={setDates} />
        </Box>
      )}
      <Numbers found={found} error={error} withPeriod={withPeriod} onRetry={() => void refetch()} />
    </>
  )
}

export const DashboardPage = () => {
  const user = useCurrentUser()
  const { data: connections, error } = useQuery(connectionsQuery)
  const connected = connections?.some(isConnected) ?? false
  const sentence = !connections
    ? error && sentenceOf(error, 'As conexões não puderam ser lidas.')
    : connected
      ? lineSentence(connections)
      : 'Nenhum número conectado agora.'
  return (
    <PageFrame wide>
      <PageHeading
        title={user ? `Olá, ${user.firstName}` : 'Dashboard'}
        tab="Dashboard"
        // The space holds the line's height, so that nothing moves when the answer comes.
        sentence={sentence || '\u00a0'}
      />
      <TrialBanner />
      <ConfirmEmailNotice about="sending" />
      {connections || error ? (
        <>
          {connections && <NumbersDown connections={connections} />}
          {connections && !connected && <FirstSteps connections={connections} />}
          <Statistics />
        </>
      ) : (
        <Skeleton variant="rounded" sx={{ height: 'var(--phone-height)' }} aria-label="Carregando..." role="status" />
      )}
    </PageFrame>
  )
}
