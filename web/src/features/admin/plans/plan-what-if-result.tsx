import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import type { PlanDifference, PlanWhatIfPart } from '@prosa/contracts/http/what-if/plan'
import { Link as RouterLink } from 'react-router-dom'
import { count, money, plural } from '../../../lib/format/format.ts'
import { wholeTime } from '../../../lib/format/whole-time.ts'
import { adminTab } from '../../../lib/paths.ts'

const maxShown = 500

const add = <K extends string>(one: Record<K, number>, other: Record<K, number>): Record<K, number> =>
  Object.fromEntries(Object.entries<number>(one).map(([key, value]) => [key, value + other[key as K]])) as Record<
    K,
    number
  >

type Counts = 'subscriptions' | 'different' | 'otherEnds' | 'blockedSends' | 'allowedSends' | 'blockedConnections'

interface Found extends Pick<PlanWhatIfPart, Counts | 'reachedLimit' | 'revenue' | 'isCut'> {
  differences: PlanDifference[]
}

const none: Found = {
  ...{ subscriptions: 0, different: 0, otherEnds: 0, blockedSends: 0, allowedSends: 0, blockedConnections: 0 },
  reachedLimit: { was: 0, would: 0 },
  revenue: { orders: 0, wasCents: 0, wouldCents: 0 },
  isCut: false,
  differences: [],
}

const countsOf = (of: Pick<PlanWhatIfPart, Counts>): Record<Counts, number> => {
  const { subscriptions, different, otherEnds, blockedSends, allowedSends, blockedConnections } = of
  return { subscriptions, different, otherEnds, blockedSends, allowedSends, blockedConnections }
}

export const together = (parts: readonly PlanWhatIfPart[]): Found =>
  parts.reduce<Found>(
    (all, part) => ({
      ...add(countsOf(all), countsOf(part)),
      reachedLimit: add(all.reachedLimit, part.reachedLimit),
      revenue: add(all.revenue, part.revenue),
      isCut: all.isCut || part.isCut,
      differences: [...all.differences, ...part.differences].slice(0, maxShown),
    }),
    none,
  )

const when = (instant: string | null) => (instant === null ? 'não' : wholeTime(instant))

/** [what, before, after] of what differs. */
const linesOf = ({ endsAt, messages, connections }: PlanDifference): [string, string, string][] => {
  const end = (instant: string | null) => (instant === null ? 'sem acesso' : wholeTime(instant))
  const lines: [string, string, string][] = []
  if (endsAt.was !== endsAt.would) lines.push(['Acesso até', end(endsAt.was), end(endsAt.would)])
  if (messages.was !== messages.would)
    lines.push(['Chegou ao limite de mensagens', when(messages.was), when(messages.would)])
  if (connections.was !== connections.would)
    lines.push(['Chegou ao limite de conexões', when(connections.was), when(connections.would)])
  return lines
}

const refusedIn = ({ blockedSends, allowedSends, blockedConnections }: PlanDifference): string[] => [
  ...(blockedSends > 0 ? [`${plural(blockedSends, 'envio seria recusado', 'envios seriam recusados')}`] : []),
  ...(allowedSends > 0 ? [`${plural(allowedSends, 'envio recusado sairia', 'envios recusados sairiam')}`] : []),
  ...(blockedConnections > 0
    ? [`${plural(blockedConnections, 'conexão seria recusada', 'conexões seriam recusadas')}`]
    : []),
]

const Difference = ({ difference }: { difference: PlanDifference }) => {
  const { userId, name, email } = difference
  const refused = refusedIn(difference)
  return (
    <Box component="li" sx={{ py: 3, '& + &': { borderTop: '1px solid', borderColor: 'divider' } }}>
      <Link
        component={RouterLink}
        to={adminTab('historico', { registro: `user:${userId}` })}
        target="_blank"
        sx={{ fontWeight: 500, overflowWrap: 'anywhere' }}
      >
        {name}
      </Link>{' '}
      <Typography variant="caption" component="span" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
        {email}
      </Typography>
      {linesOf(difference).map(([what, was, would]) => (
        <Typography key={what}>
          {what}: {was} → {would}
        </Typography>
      ))}
      {refused.length > 0 && <Typography>{refused.join('; ')}.</Typography>}
    </Box>
  )
}

const summaryOf = ({ subscriptions, different, otherEnds, reachedLimit, ...found }: Found): string[] => {
  const { blockedSends, allowedSends, blockedConnections, revenue } = found
  const of = plural(subscriptions, 'conta', 'contas')
  if (different === 0 && revenue.wasCents === revenue.wouldCents) return [`${of}: nada seria diferente.`]
  return [
    `${of}: ${different === 1 ? '1 seria diferente' : `${count(different)} seriam diferentes`}, ${count(otherEnds)} com outro fim do acesso.`,
    `Chegaram a um limite: ${count(reachedLimit.was)} → ${count(reachedLimit.would)}.`,
    `Envios recusados a mais: ${count(blockedSends)}; a menos: ${count(allowedSends)}. Conexões recusadas a mais: ${count(blockedConnections)}.`,
    ...(revenue.orders > 0
      ? [
          `${plural(revenue.orders, 'compra', 'compras')} do plano: ${money(revenue.wasCents)} → ${money(revenue.wouldCents)}.`,
        ]
      : []),
  ]
}

export const PlanWhatIfResult = ({ found, isOver }: { found: Found; isOver: boolean }) => {
  const [first, ...more] = summaryOf(found)
  return (
    <section aria-label="Resultado">
      <Typography variant="h3" role={isOver ? 'status' : undefined}>
        {first}
      </Typography>
      {more.map((sentence) => (
        <Typography key={sentence}>{sentence}</Typography>
      ))}
      {found.differences.length < found.different && (
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
          A lista mostra {count(found.differences.length)} de {count(found.different)} contas.
        </Typography>
      )}
      {found.isCut && (
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
          Uma conta tem tantas conversas que nem todas foram olhadas.
        </Typography>
      )}
      <Box component="ol" aria-label="Contas diferentes" sx={{ m: 0, mt: 2, p: 0, listStyle: 'none' }}>
        {found.differences.map((difference) => (
          <Difference key={difference.userId} difference={difference} />
        ))}
      </Box>
    </section>
  )
}
