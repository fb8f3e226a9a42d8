import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import type { Summary } from '@prosa/contracts/http/administration/admin-lists'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import CurvesIcon from '~icons/ic/round-bar-chart'
import { lazyPart } from '../../../components/layout/lazy-part.tsx'
import { panelStyle } from '../../../components/layout/panel.tsx'
import { count, money, plural } from '../../../lib/format/format.ts'
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
  /** Each opens what it counts. */
  details?: (summary: Summary) => { text: string; filters: Readonly<Record<string, string>> }[]
}

/** '–' while the read model is being built. */
const known = (value: number | null): string => (value === null ? '–' : count(value))

const cards: readonly Card[] = [
  {
    label: 'Usuários',
    tab: 'usuarios',
    value: ({ users }) => count(users.total),
    details: ({ users: { active, expired, cancelled, expiringSoon } }) => [
      { text: plural(active, 'ativo', 'ativos'), filters: { situacao: 'active' } },
      { text: plural(expired, 'expirado', 'expirados'), filters: { situacao: 'expired' } },
      { text: plural(cancelled, 'cancelado', 'cancelados'), filters: { situacao: 'cancelled' } },
      { text: plural(expiringSoon, 'expira em até 7 dias', 'expiram em até 7 dias'), filters: { situacao: 'ending' } },
    ],
  },
  { label: 'Contatos', tab: 'contatos', value: ({ contacts }) => known(contacts) },
  { label: 'Mensagens', tab: 'mensagens', value: ({ messages }) => count(messages) },
  { label: 'Projetos', tab: 'projetos', value: ({ projects }) => known(projects) },
  {
    label: 'Receita',
    tab: 'transacoes',
    value: ({ revenue }) => money(revenue.grossCents),
    details: ({ revenue }) => [
      { text: `${money(revenue.netCents)} sem os reembolsos`, filters: { situacao: 'approved' } },
    ],
  },
]

const Curves = lazyPart(async () => (await import('./curves.tsx')).Curves)

/** Read only once they are opened. */
export const CurvesDisclosure = () => {
  const [isOpen, setOpen] = useState(false)
  return (
    <Box sx={{ display: 'grid', gap: 3, justifyItems: 'start', gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Button color="inherit" aria-expanded={isOpen} startIcon={<CurvesIcon />} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Esconder curvas' : 'Ver curvas por mês'}
      </Button>
      {isOpen && (
        <Box sx={{ width: '100%', minWidth: 0 }}>
          <Curves />
        </Box>
      )}
    </Box>
  )
}

const valueStyle = { display: 'block', fontVariantNumeric: 'tabular-nums', overflowWrap: 'anywhere' } as const

const linkStyle = { color: 'inherit', textDecoration: 'none', '&:hover': { textDecoration: 'underline' } } as const

/** On a phone without details: the cards take one line. */
const CardContent = ({ card, summary }: { card: Card; summary: Summary | undefined }) => (
  <>
    <Box component={Link} to={adminTab(card.tab)} sx={{ ...linkStyle, display: 'block' }}>
      <Typography component="span" variant="subtitle2" sx={{ color: 'text.secondary' }}>
        {card.label}
      </Typography>
      <Typography component="span" variant="h2" sx={valueStyle}>
        {summary ? card.value(summary) : <Skeleton width="4ch" />}
      </Typography>
    </Box>
    {card.details && (
      <Typography
        component="span"
        variant="caption"
        sx={{ display: { xs: 'none', md: 'block' }, color: 'text.secondary' }}
      >
        {summary
          ? card.details(summary).map(({ text, filters }) => (
              <Box
                key={text}
                component={Link}
                to={adminTab(card.tab, filters)}
                sx={{ ...linkStyle, display: 'block', py: 1 }}
              >
                {text}
              </Box>
            ))
          : '\u00a0'}
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
        display: { xs: 'flex', md: 'grid' },
        gap: { xs: 2, md: 3 },
        gridTemplateColumns: 'repeat(5, minmax(0, 1fr))',
        overflowX: { xs: 'auto', md: 'visible' },
        m: 0,
        p: 0,
        listStyle: 'none',
      }}
    >
      {cards.map((card) => (
        <Box component="li" key={card.tab} sx={{ display: 'grid', flex: { xs: '1 0 auto' } }}>
          <Box sx={{ ...panelStyle, p: { xs: 3, md: 4 }, '&:hover': { borderColor: 'borderStrong' } }}>
            <CardContent card={card} summary={summary.data} />
          </Box>
        </Box>
      ))}
    </Box>
  )
}
