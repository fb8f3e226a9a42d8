import { LineChart } from '@mui/x-charts/LineChart'
import type { DashboardDay } from '@prosa/contracts/http/dashboard'
import { longDate, shortDate } from './words.ts'

export interface Series {
  label: string
  /** A CSS colour of the theme. */
  colour: string
  /** Null on a day that has none. */
  value: (day: DashboardDay) => number | null
  shown: (value: number | null) => string
}

export interface DayChartProps {
  title: string
  days: readonly DashboardDay[]
  series: readonly Series[]
}

/** Up to this many days each has a mark of its own. */
const mostMarks = 31

/** One line a series, a point a day; as high as its place. */
export const DayChart = ({ title, days, series }: DayChartProps) => {
  const shown = series[0]?.shown
  return (
    <LineChart
      aria-label={title}
      skipAnimation
      hideLegend={series.length === 1}
      grid={{ horizontal: true }}
      margin={{ left: 0, right: 16, top: 16, bottom: 0 }}
      xAxis={[
        {
          scaleType: 'point',
          data: days.map(({ day }) => day),
          valueFormatter: (day: string, { location }) => (location === 'tick' ? shortDate(day) : longDate(day)),
        },
      ]}
      yAxis={[
        { min: 0, width: 56, tickMinStep: 1, valueFormatter: (value: number) => shown?.(value) ?? String(value) },
      ]}
      series={series.map(({ label, colour, value, shown: format }) => ({
        label,
        color: colour,
        data: days.map(value),
        valueFormatter: format,
        curve: 'linear',
        showMark: days.length <= mostMarks,
      }))}
    />
  )
}
