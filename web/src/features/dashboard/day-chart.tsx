import { LineChart } from '@mui/x-charts/LineChart'
import type { DashboardDay } from '@prosa/contracts/http/dashboard'
import { longDate, shortDate } from './words.ts'

export interface Series {
  label: string
  colour: string
  value: (day: DashboardDay) => number | null
  shown: (value: number | null) => string
  /** Unit of the axis, which gives ticks round values; 1 by default. */
  unit?: (largest: number) => number
}

export interface DayChartProps {
  title: string
  days: readonly DashboardDay[]
  series: readonly Series[]
}

/** Up to this many days each point has a mark. */
const maxMarks = 31
const maxTicks = 12

const perUnit = (value: number | null, unit: number) => (value === null ? null : value / unit)

export const DayChart = ({ title, days, series }: DayChartProps) => {
  const [first] = series
  const largest = Math.max(0, ...series.flatMap(({ value }) => days.map((day) => value(day) ?? 0)))
  const unit = first?.unit?.(largest) ?? 1
  const every = Math.ceil(days.length / maxTicks)
  return (
    <LineChart
      aria-label={title}
      skipAnimation
      hideLegend={series.length === 1}
      grid={{ horizontal: true }}
      margin={{ left: 0, right: 24, top: 16, bottom: 0 }}
      xAxis={[
        {
          scaleType: 'point',
          data: days.map(({ day }) => day),
          tickInterval: (_: string, index: number) => index % every === 0,
          valueFormatter: (day: string, { location }) => (location === 'tick' ? shortDate(day) : longDate(day)),
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
      series={series.map(({ label, colour, value, shown: format }) => ({
        label,
        color: colour,
        data: days.map((day) => perUnit(value(day), unit)),
        valueFormatter: (scaled: number | null) => format(scaled === null ? null : scaled * unit),
        curve: 'linear',
        showMark: days.length <= maxMarks,
      }))}
    />
  )
}
