import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import type { Summary } from '@prosa/contracts/http/administration/admin-lists'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { panelStyle } from '../../../components/layout/panel.tsx'
import { count, money } from '../../../lib/format/format.ts'
import { call } from '../../../lib/http/call.ts'
import { type AdminTab, adminTab } from '../../../lib/paths.ts'

const summaryQuery = queryOptions({
  queryKey: ['admin', 'summary'],
  queryFn: ({ signal }) => call('GET /api/admin/summary', { signal }),
  staleTime: 0,
})

interface Card {
  label: string
  tab: AdminTab
  value: (summary: Summary) => string
  details?: (summary: Summary) => string[]
}

/** '–' while the read model is being built. */
const known = (value: number | null): string => (value === null ? '–' : count(value))

const cards: readonly Card[] = [
  {
    label: 'Usuários',
    tab: 'usuarios',
    value: ({ users }) => count(users.total),
    details: ({ users: { active, expired, cancelled, expiringSoon } }) => [
      `${count(active)} ${active === 1 ? 'ativo' : 'ativos'}`,
      `${count(expired)} ${expired === 1 ? 'expirado' : 'expirados'}`,
      `${count(cancelled)} ${cancelled === 1 ? 'cancelado' : 'cancelados'}`,
      `${count(expiringSoon)} ${expiringSoon === 1 ? 'expira' : 'expiram'} em até 7 dias`,
    ],
  },
  { label: 'Contatos', tab: 'contatos', value: ({ contacts }) => known(contacts) },
  { label: 'Mensagens', tab: 'mensagens', value: ({ messages }) => count(messages) },
  { label: 'Projetos', tab: 'projetos', value: ({ projects }) => known(projects) },
  {
    label: 'Receita',
    tab: 'transacoes',
    value: ({ revenue }) => money(revenue.grossCents),
    details: ({ revenue }) => [`${money(revenue.netCents)} sem os reembolsos`],
  },
]

const valueStyle = { display: 'block', fontVariantNumeric: 'tabular-nums', overflowWrap: 'anywhere' } as const

const CardContent = ({ card, summary }: { card: Card; summary: Summary | undefined }) => (
  <>
    <Typography component="span" variant="subtitle2" sx={{ color: 'text.secondary' }}>
      {card.label}
    </Typography>
    <Typography component="span" variant="h2" sx={valueStyle}>
      {summary ? card.value(summary) : <Skeleton width="4ch" />}
    </Typography>
    {card.details && (
      <Typography component="span" variant="caption" sx={{ display: 'block', color: 'text.secondary' }}>
        {(summary ? card.details(summary) : ['\u00a0']).map((line) => (
          <Box key={line} component="span" sx={{ display: 'block' }}>
            {line}
          </Box>
        ))}
      </Typography>
    )}
  </>
)

export const SummaryCards = () => {
  const summary = useQuery(summaryQuery)
  if (summary.isError && !summary.data)
    return (
      <Box role="alert" sx={{ ...panelStyle, display: 'flex', alignItems: 'center', gap: 2, px: 4, py: 2 }}>
        <Typography sx={{ flex: 1 }}>Os números não puderam ser carregados.</Typography>
        <Button onClick={() => void summary.refetch()}>Tentar de novo</Button>
      </Box>
    )
  return (
    <Box
      component="ul"
      aria-label="Resumo"
      aria-busy={summary.isPending}
      sx={{
        display: 'grid',
        gap: 3,
        gridTemplateColumns: { xs: 'repeat(2, minmax(0, 1fr))', md: 'repeat(5, minmax(0, 1fr))' },
        m: 0,
        p: 0,
        listStyle: 'none',
        '& > li:first-of-type': { gridColumn: { xs: '1 / -1', md: 'auto' } },
      }}
    >
      {cards.map((card) => (
        <Box component="li" key={card.tab} sx={{ display: 'grid' }}>
          <Box
            component={Link}
            to={adminTab(card.tab)}
            sx={{
              ...panelStyle,
              display: 'block',
              p: 4,
              color: 'text.primary',
              textDecoration: 'none',
              '&:hover': { borderColor: 'borderStrong' },
            }}
          >
            <CardContent card={card} summary={summary.data} />
          </Box>
        </Box>
      ))}
    </Box>
  )
}
