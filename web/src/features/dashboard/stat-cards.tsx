import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import type { AutomationProject, Dashboard } from '@prosa/contracts/http/dashboard'
import type { Queue } from '@prosa/contracts/http/live-chat'
import { Link } from 'react-router-dom'
import { panelStyle } from '../../components/layout/panel.tsx'
import { queueAddress } from '../../lib/account/queue-address.tsx'
import { count, plural } from '../../lib/format/format.ts'
import { paths } from '../../lib/paths.ts'
import { automationsId } from './automations.tsx'
import { periodWords } from './words.ts'

interface Shown {
  value: string
  change: string
}

interface Card {
  label: string
  /** What the figure counts, where that surprises. */
  counts?: string
  shown: Shown | undefined
  /** List of live chat to open; without it live chat opens unchanged. */
  queue?: Queue
  anchor?: string
}

const cardStyle = {
  ...panelStyle,
  display: 'block',
  p: 4,
  minWidth: 0,
  color: 'text.primary',
  textDecoration: 'none',
  '&:hover': { borderColor: 'borderStrong' },
} as const

const CardContent = ({ label, counts, shown }: Pick<Card, 'label' | 'counts' | 'shown'>) => (
  <>
    <Typography component="span" variant="subtitle2" sx={{ display: 'block', color: 'text.secondary' }}>
      {label}
    </Typography>
    <Typography component="span" variant="h1" sx={{ display: 'block', my: 1, fontVariantNumeric: 'tabular-nums' }}>
      {shown ? shown.value : <Skeleton width="4ch" />}
    </Typography>
    <Typography
      component="span"
      variant="caption"
      // Two lines are reserved: no card grows when the numbers come.
      sx={{ display: 'block', minHeight: '2lh', color: 'text.secondary', textWrap: 'pretty' }}
    >
      {shown ? shown.change : <Skeleton width="70%" />}
    </Typography>
    {counts && (
      <Typography component="span" variant="caption" sx={{ display: 'block', color: 'text.secondary' }}>
        {counts}
      </Typography>
    )}
  </>
)

const StatCard = ({ queue, anchor, ...content }: Card) =>
  anchor ? (
    <Box component="a" href={anchor} sx={cardStyle}>
      <CardContent {...content} />
    </Box>
  ) : (
    <Box component={Link} to={queue ? queueAddress(queue) : paths.liveChat} sx={cardStyle}>
      <CardContent {...content} />
    </Box>
  )

/** Counts active projects by creation date in the period's time zone. */
const createdWithin = (projects: readonly AutomationProject[], { from, to, timeZone }: Dashboard): number => {
  // Swedish dates have the form of ISO 8601.
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone })
  return projects.filter(({ isActive, createdAt }) => {
    if (!isActive) return false
    const created = day.format(Date.parse(createdAt))
    return created >= from && created <= to
  }).length
}

const cardsOf = (found: Dashboard | undefined, projects: readonly AutomationProject[] | undefined): Card[] => {
  const { inIt, change } = found ? periodWords(found) : { inIt: '', change: () => '' }
  return [
    {
      label: 'Total de Contatos',
      shown: found && {
        value: count(found.now.contacts),
        change: `${plural(found.total.contacts, 'novo', 'novos')} ${inIt}. ${change(found.total.contacts, found.before.contacts)}`,
      },
    },
    {
      label: 'Mensagens Enviadas',
      counts: 'Contam também as do celular.',
      shown: found && { value: count(found.total.sent), change: change(found.total.sent, found.before.sent) },
    },
    {
      label: 'Atendimentos Resolvidos',
      queue: 'resolved',
      shown: found && {
        value: count(found.total.resolved),
        change: change(found.total.resolved, found.before.resolved),
      },
    },
    {
      label: 'Projetos Ativos',
      anchor: `#${automationsId}`,
      shown: found &&
        projects && {
          value: count(projects.filter(({ isActive }) => isActive).length),
          change: `${plural(createdWithin(projects, found), 'criado', 'criados')} ${inIt}`,
        },
    },
  ]
}

export const StatCards = ({
  found,
  projects,
}: {
  found: Dashboard | undefined
  projects: readonly AutomationProject[] | undefined
}) => (
  <Box
    component="ul"
    aria-label="Resumo do período"
    sx={{
      display: 'grid',
      gap: 4,
      gridTemplateColumns: { xs: 'repeat(2, minmax(0, 1fr))', md: 'repeat(4, minmax(0, 1fr))' },
      m: 0,
      p: 0,
      listStyle: 'none',
    }}
  >
    {cardsOf(found, projects).map((card) => (
      <Box component="li" key={card.label} sx={{ display: 'grid' }}>
        <StatCard {...card} />
      </Box>
    ))}
  </Box>
)
