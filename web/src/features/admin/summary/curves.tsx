import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { BarChart } from '@mui/x-charts/BarChart'
import type { Month } from '@prosa/contracts/http/administration/admin-lists'
import { useQuery } from '@tanstack/react-query'
import { LoadingScreen } from '../../../components/layout/loading-screen.tsx'
import { panelStyle } from '../../../components/layout/panel.tsx'
import { count, money } from '../../../lib/format/format.ts'
import { call } from '../../../lib/http/call.ts'

interface Curve {
  title: string
  value: (month: Month) => number
  shown: (value: number) => string
}

const curves: readonly Curve[] = [
  { title: 'Contas novas', value: ({ newAccounts }) => newAccounts, shown: count },
  { title: 'Receita do mês', value: ({ revenueCents }) => revenueCents / 100, shown: (reais) => money(reais * 100) },
  { title: 'Acessos encerrados', value: ({ endedAccess }) => endedAccess, shown: count },
  { title: 'Mensagens', value: ({ messages }) => messages, shown: count },
  { title: 'Números conectados', value: ({ linkedNumbers }) => linkedNumbers, shown: count },
]

const monthName = new Intl.DateTimeFormat('pt-BR', { month: 'short', year: 'numeric', timeZone: 'UTC' })
const nameOf = (month: string) => monthName.format(new Date(`${month}-01T00:00:00Z`))

const Curve = ({ curve: { title, value, shown }, months }: { curve: Curve; months: readonly Month[] }) => (
  <Box component="li" sx={{ ...panelStyle, p: 4, minWidth: 0 }}>
    <Typography variant="h3">{title}</Typography>
    <BarChart
      aria-label={`${title} por mês`}
      height={180}
      skipAnimation
      hideLegend
      grid={{ horizontal: true }}
      margin={{ left: 0, right: 8, top: 16, bottom: 0 }}
      xAxis={[{ scaleType: 'band', data: months.map(({ month }) => nameOf(month)), height: 24 }]}
      yAxis={[
        {
          min: 0,
          // With zeros only the line would be in the middle.
          ...(months.every((month) => value(month) === 0) && { max: 1 }),
          width: 72,
          tickMinStep: 1,
          tickNumber: 3,
          valueFormatter: (tick: number) => shown(tick),
        },
      ]}
      series={[
        {
          label: title,
          color: 'var(--primary)',
          data: months.map(value),
          valueFormatter: (found: number | null) => (found === null ? '–' : shown(found)),
        },
      ]}
    />
  </Box>
)

/** For screen readers and keyboards. */
const MonthTable = ({ months }: { months: readonly Month[] }) => (
  <Box component="details" sx={{ minWidth: 0 }}>
    <Box component="summary" sx={{ cursor: 'pointer', color: 'text.secondary' }}>
      Ver em tabela
    </Box>
    <Box component="section" aria-label="Tabela por mês" tabIndex={0} sx={{ overflowX: 'auto' }}>
      <table className="data-table" aria-label="Por mês">
        <thead>
          <tr>
            <th scope="col">Mês</th>
            {curves.map(({ title }) => (
              <th key={title} scope="col" className="data-table-number">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {months.toReversed().map((month) => (
            <tr key={month.month}>
              <th scope="row">{nameOf(month.month)}</th>
              {curves.map(({ title, value, shown }) => (
                <td key={title} className="data-table-number" data-label={title}>
                  {shown(value(month))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Box>
  </Box>
)

export const Curves = () => {
  const { data: months, isError } = useQuery({
    queryKey: ['admin', 'curves'],
    queryFn: ({ signal }) => call('GET /api/admin/curves', { signal }),
  })
  if (isError)
    return <Typography role="alert">As curvas não puderam ser carregadas. Tente de novo em instantes.</Typography>
  if (!months) return <LoadingScreen />
  if (months.length === 0) return <Typography>Ainda não há o que mostrar por mês.</Typography>
  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Box
        component="ul"
        aria-label="Curvas"
        sx={{
          display: 'grid',
          gap: 3,
          gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 20rem), 1fr))',
          m: 0,
          p: 0,
          listStyle: 'none',
        }}
      >
        {curves.map((curve) => (
          <Curve key={curve.title} curve={curve} months={months} />
        ))}
      </Box>
      <MonthTable months={months} />
    </Box>
  )
}
