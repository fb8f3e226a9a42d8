import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import type { Dashboard, DashboardDay } from '@prosa/contracts/http/dashboard'
import { useId } from 'react'
import { lazyPart } from '../../components/layout/lazy-part.tsx'
import { panelStyle } from '../../components/layout/panel.tsx'
import { count, plural } from '../../lib/format/format.ts'
import './charts.css'
import type { DayChartProps, Series } from './day-chart.tsx'
import { duration, durationUnit, longDate, waitSentence } from './words.ts'

const DayChart = lazyPart<DayChartProps>(async () => (await import('./day-chart.tsx')).DayChart)

interface Question {
  title: string
  sentence: (found: Dashboard) => string
  series: readonly Series[]
}

const inDuration = (seconds: number | null): string => (seconds === null ? '–' : duration(seconds))
const inCount = (value: number | null): string => (value === null ? '–' : count(value))

const questions: readonly Question[] = [
  {
    title: 'Mensagens por dia',
    sentence: ({ total }) =>
      `${plural(total.received, 'recebida', 'recebidas')} e ${plural(total.sent, 'enviada', 'enviadas')} no período.`,
    series: [
      { label: 'Recebidas', colour: 'var(--info)', value: ({ received }) => received, shown: inCount },
      { label: 'Enviadas', colour: 'var(--primary)', value: ({ sent }) => sent, shown: inCount },
    ],
  },
  {
    title: 'Tempo de espera até aceitar',
    sentence: ({ total }) => waitSentence(total),
    series: [
      {
        label: 'Espera mediana',
        colour: 'var(--warn)',
        value: ({ medianWaitSeconds }) => medianWaitSeconds,
        shown: inDuration,
        unit: durationUnit,
      },
    ],
  },
  {
    title: 'Atendimentos resolvidos por dia',
    sentence: ({ total }) => `${plural(total.resolved, 'resolvido', 'resolvidos')} no período.`,
    series: [{ label: 'Resolvidos', colour: 'var(--primary)', value: ({ resolved }) => resolved, shown: inCount }],
  },
]

/** For screen readers and keyboards. */
const DayTable = ({ title, series, days }: Pick<Question, 'title' | 'series'> & { days: readonly DashboardDay[] }) => (
  <details className="chart-details">
    <summary>Ver em tabela</summary>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
    <section className="chart-table" aria-label={`Tabela: ${title}`} tabIndex={0}>
      <table aria-label={title}>
        <thead>
          <tr>
            <th scope="col">Dia</th>
            {series.map(({ label }) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <tr key={day.day}>
              <th scope="row">{longDate(day.day)}</th>
              {series.map(({ label, value, shown }) => (
                <td key={label}>{shown(value(day))}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  </details>
)

const QuestionPanel = ({ question, found }: { question: Question; found: Dashboard | undefined }) => {
  const { title, sentence, series } = question
  const id = useId()
  return (
    <Box component="section" aria-labelledby={id} sx={{ ...panelStyle, p: 4, minWidth: 0 }}>
      <Typography variant="h3" component="h3" id={id}>
        {title}
      </Typography>
      <Typography sx={{ color: 'text.secondary', minHeight: '1lh' }}>
        {found ? sentence(found) : <Skeleton width="50%" />}
      </Typography>
      <div className="chart-place">
        {found ? (
          <DayChart title={title} days={found.days} series={series} />
        ) : (
          <Skeleton variant="rounded" height="100%" />
        )}
      </div>
      <DayTable title={title} series={series} days={found?.days ?? []} />
    </Box>
  )
}

export const Charts = ({ found }: { found: Dashboard | undefined }) =>
  questions.map((question) => <QuestionPanel key={question.title} question={question} found={found} />)
