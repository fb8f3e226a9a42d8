import { LineChart } from '@mui/x-charts/LineChart'
import type { Activity } from '@prosa/contracts/http/dashboard'
import { useNavigate } from 'react-router-dom'

export interface Series {
  label: string
  colour: string
  value: (activity: Activity) => number | null
  shown: (value: number | null) => string
  /** Unit of the axis, which gives ticks round values; 1 by default. */
  unit?: (largest: number) => number
}

/** A day, or an hour of one. */
export interface Point {
  key: string
  /** Short, of the axis. */
  name: string
  longName: string
  /** Null: not begun. */
  activity: Activity | null
  /** What a press opens. */
  to?: string
}

export interface PointChartProps {
  title: string
  points: readonly Point[]
  series: readonly Series[]
}

/** Up to this many each point has a mark. */
const maxMarks = 31
const maxTicks = 12

const perUnit = (value: number | null, unit: number) => (value === null ? null : value / unit)

export const PointChart = ({ title, points, series }: PointChartProps) => {
  const navigate = useNavigate()
  const [first] = series
  const values = ({ value }: Series) => points.map(({ activity }) => activity && value(activity))
  const largest = Math.max(0, ...series.flatMap((each) => values(each).map((value) => value ?? 0)))
  const unit = first?.unit?.(largest) ?? 1
  const every = Math.ceil(points.length / maxTicks)
  const open = (at: number | undefined) => {
    const to = at === undefined ? undefined : points[at]?.to
    if (to !== undefined) void navigate(to, { preventScrollReset: true })
  }
  return (
    <LineChart
      aria-label={title}
      skipAnimation
      hideLegend={series.length === 1}
      grid={{ horizontal: true }}
      margin={{ left: 0, right: 24, top: 16, bottom: 0 }}
      {...(points.some(({ to }) => to) && {
        onAxisClick: (_: unknown, at: { dataIndex: number } | null) => open(at?.dataIndex),
        sx: { cursor: 'pointer' },
      })}
      xAxis={[
        {
          scaleType: 'point',
          data: points.map(({ key }) => key),
          tickInterval: (_: string, index: number) => index % every === 0,
          valueFormatter: (key: string, { location }) => {
            const point = points.find((each) => each.key === key)
            return (location === 'tick' ? point?.name : point?.longName) ?? ''
          },
        },
      ]}
      yAxis={[
        {
          min: 0,
          // With zeros only the line would be in the middle.
          ...(largest === 0 && { max: 1 }),
          width: 56,
          tickMinStep: 1,
          tickNumber: 4,
          valueFormatter: (value: number) => first?.shown(value * unit) ?? String(value),
        },
      ]}
      series={series.map(({ label, colour, value, shown: format, unit: _ }) => ({
        label,
        color: colour,
        data: points.map(({ activity }) => perUnit(activity && value(activity), unit)),
        valueFormatter: (scaled: number | null) => format(scaled === null ? null : scaled * unit),
        curve: 'linear',
        showMark: points.length <= maxMarks,
      }))}
    />
  )
}
