import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import type { Dashboard } from '@prosa/contracts/http/dashboard'
import { useId } from 'react'
import { Link } from 'react-router-dom'
import { lazyPart } from '../../components/layout/lazy-part.tsx'
import { panelStyle } from '../../components/layout/panel.tsx'
import { count, plural } from '../../lib/format/format.ts'
import './charts.css'
import { dayAddress } from './period-in-address.ts'
import type { Point, PointChartProps, Series } from './point-chart.tsx'
import { duration, durationUnit, hourSpan, longDate, periodWords, shortDate, waitSentence } from './words.ts'

const PointChart = lazyPart<PointChartProps>(async () => (await import('./point-chart.tsx')).PointChart)

interface Question {
  title: string
  /** Of a single day. */
  hourlyTitle: string
  sentence: (found: Dashboard) => string
  series: readonly Series[]
}

const inDuration = (seconds: number | null): string => (seconds === null ? '–' : duration(seconds))
const inCount = (value: number | null): string => (value === null ? '–' : count(value))

const questions: readonly Question[] = [
  {
    title: 'Mensagens por dia',
    hourlyTitle: 'Mensagens por hora',
    sentence: (found) =>
      `${plural(found.total.received, 'recebida', 'recebidas')} e ${plural(found.total.sent, 'enviada', 'enviadas')} ${periodWords(found).inIt}.`,
    series: [
      { label: 'Recebidas', colour: 'var(--info)', value: ({ received }) => received, shown: inCount },
      { label: 'Enviadas', colour: 'var(--primary)', value: ({ sent }) => sent, shown: inCount },
    ],
  },
  {
    title: 'Tempo de espera até aceitar',
    hourlyTitle: 'Tempo de espera até aceitar',
    sentence: waitSentence,
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
    hourlyTitle: 'Atendimentos resolvidos por hora',
    sentence: (found) => `${plural(found.total.resolved, 'resolvido', 'resolvidos')} ${periodWords(found).inIt}.`,
    series: [{ label: 'Resolvidos', colour: 'var(--primary)', value: ({ resolved }) => resolved, shown: inCount }],
  },
]

const allHours = Array.from({ length: 24 }, (_, hour) => hour)

/** Hours of a single day, else days. Of what has not begun nothing is known. */
const pointsOf = ({ days, hours }: Dashboard): Point[] =>
  hours
    ? allHours.map((hour) => ({
        ...{ key: String(hour), name: `${hour}h`, longName: hourSpan(hour) },
        activity: hours[hour] ?? null,
      }))
    : days.map((activity) => ({
        ...{ key: activity.day, name: shortDate(activity.day), longName: longDate(activity.day), activity },
        ...{ to: dayAddress(activity.day) },
      }))

interface TableProps extends Pick<Question, 'title' | 'series'> {
  points: readonly Point[]
}

/** For screen readers and keyboards. */
const PointTable = ({ title, series, points }: TableProps) => (
  <details className="chart-details">
    <summary>Ver em tabela</summary>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
    <section className="chart-table" aria-label={`Tabela: ${title}`} tabIndex={0}>
      <table aria-label={title}>
        <thead>
          <tr>
            <th scope="col">{points.some(({ to }) => to) ? 'Dia' : 'Hora'}</th>
            {series.map(({ label }) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.map(
            ({ key, longName, activity, to }) =>
              activity && (
                <tr key={key}>
                  <th scope="row">{to ? <Link to={to}>{longName}</Link> : longName}</th>
                  {series.map(({ label, value, shown }) => (
                    <td key={label}>{shown(value(activity))}</td>
                  ))}
                </tr>
              ),
          )}
        </tbody>
      </table>
    </section>
  </details>
)

const QuestionPanel = ({ question, found }: { question: Question; found: Dashboard | undefined }) => {
  const { sentence, series } = question
  const id = useId()
  const title = found?.hours ? question.hourlyTitle : question.title
  const points = found ? pointsOf(found) : []
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
          <PointChart title={title} points={points} series={series} />
        ) : (
          <Skeleton variant="rounded" height="100%" />
        )}
      </div>
      <PointTable title={title} series={series} points={points} />
    </Box>
  )
}

export const Charts = ({ found }: { found: Dashboard | undefined }) =>
  questions.map((question) => <QuestionPanel key={question.title} question={question} found={found} />)
