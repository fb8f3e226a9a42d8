import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import type { AutomationProject } from '@prosa/contracts/http/dashboard'
import type { FlowStatistics } from '@prosa/contracts/http/flow-runs'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import FlowIcon from '~icons/ic/round-account-tree'
import AddIcon from '~icons/ic/round-add'
import TuneIcon from '~icons/ic/round-tune'
import { KeyHint } from '../../components/key-hint.tsx'
import { EmptyState } from '../../components/layout/empty-state.tsx'
import { panelStyle } from '../../components/layout/panel.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { conversion, flowEditor, flowStatisticsQuery, leadsSentence } from '../../lib/account/flows.ts'
import { count, dayAndTime, plural } from '../../lib/format/format.ts'
import { serverNow } from '../../lib/http/server-clock.ts'
import { paths } from '../../lib/paths.ts'

/** Anchor of 'Projetos Ativos'. */
export const automationsId = 'suas-automacoes'

const maxShown = 6

type Counts = Pick<FlowStatistics, 'leads' | 'converted' | 'lastRunAt'>

const nothingYet: Counts = { leads: 0, converted: 0, lastRunAt: null }

/** Undefined while loading or after a failure. */
const countWords = (counts: Counts | undefined): string => {
  if (!counts) return '– leads'
  const leads = plural(counts.leads, 'lead', 'leads')
  return counts.leads === 0 ? leads : `${leads}, ${conversion(counts)} de conversão`
}

/** The last run or change, whichever is later. */
const lastActivity = ({ updatedAt }: AutomationProject, counts: Counts | undefined): string => {
  const ranAt = counts?.lastRunAt
  return ranAt && Date.parse(ranAt) > Date.parse(updatedAt) ? ranAt : updatedAt
}

interface ProjectProps {
  project: AutomationProject
  counts: Counts | undefined
  nowMs: number
}

const Project = ({ project, counts, nowMs }: ProjectProps) => {
  const { id, name, isActive, nodeCount } = project
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gridTemplateColumns: 'minmax(0, 1fr) max-content max-content',
        alignItems: 'center',
        columnGap: 3,
        px: 4,
        py: 3,
        borderTop: '1px solid',
        borderColor: 'divider',
      }}
    >
      <Box sx={{ minWidth: 0 }}>
        <Typography variant="subtitle1" component="h3" sx={{ overflowWrap: 'anywhere' }}>
          {name}
        </Typography>
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
          {plural(nodeCount, 'nó', 'nós')} · última atividade {dayAndTime(lastActivity(project, counts), nowMs)}
        </Typography>
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
          {countWords(counts)}
        </Typography>
      </Box>
      <StatusBadge {...(isActive ? { tone: 'good', label: 'Ativo' } : { tone: 'busy', label: 'Pausado' })} />
      <KeyHint title="Configurar">
        <IconButton component={Link} to={flowEditor(id)} color="secondary" aria-label={`Configurar ${name}`}>
          <TuneIcon />
        </IconButton>
      </KeyHint>
    </Box>
  )
}

interface Props {
  projects: readonly AutomationProject[] | undefined
  failed: boolean
  onRetry: () => void
}

const ProjectList = ({ projects }: Pick<Props, 'projects'>) => {
  const { data: statistics } = useQuery(flowStatisticsQuery)
  const byFlow = new Map(statistics?.map((each) => [each.flowId, each]))
  const shown = projects?.toSorted((one, other) => Number(other.isActive) - Number(one.isActive)).slice(0, maxShown)
  const nowMs = serverNow() ?? Date.now()
  return (
    <>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }} aria-busy={!projects}>
        {shown ? (
          shown.map((project) => (
            <Project
              key={project.id}
              project={project}
              counts={statistics && (byFlow.get(project.id) ?? nothingYet)}
              nowMs={nowMs}
            />
          ))
        ) : (
          <Skeleton component="li" variant="rounded" sx={{ m: 4, height: 'var(--card-height)' }} />
        )}
      </Box>
      {projects && (
        <Box
          sx={{
            display: 'flex',
            flexWrap: 'wrap',
            alignItems: 'center',
            gap: 3,
            px: 4,
            py: 3,
            borderTop: '1px solid',
            borderColor: 'divider',
          }}
        >
          <Typography
            variant="caption"
            sx={{ flex: '1 1 0', minWidth: 200, color: 'text.secondary', textWrap: 'pretty' }}
          >
            {leadsSentence}
          </Typography>
          <Button component={Link} to={`${paths.conversationFlows}?aba=fluxos`} color="inherit">
            {projects.length > maxShown ? `Ver todos (${count(projects.length)})` : 'Ver fluxos'}
          </Button>
        </Box>
      )}
    </>
  )
}

const Content = ({ projects, failed, onRetry }: Props) => {
  if (!projects && failed)
    return (
      <Box role="alert">
        <EmptyState
          title="As automações não puderam ser carregadas"
          action={
            <Button variant="outlined" color="inherit" onClick={onRetry}>
              Tentar de novo
            </Button>
          }
        />
      </Box>
    )
  if (projects?.length === 0)
    return (
      <EmptyState
        icon={<FlowIcon />}
        title="Nenhuma automação ainda"
        sentence="Desenhe um fluxo de conversa que responde a quem escreve, e publique quando estiver pronto."
      />
    )
  return <ProjectList projects={projects} />
}

export const Automations = (props: Props) => (
  <Box
    component="section"
    id={automationsId}
    aria-labelledby="automations-title"
    sx={{ ...panelStyle, minWidth: 0, scrollMarginTop: 'var(--target)' }}
  >
    <Box
      sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', justifyContent: 'space-between', gap: 3, p: 4 }}
    >
      <Typography variant="h2" id="automations-title">
        Suas Automações
      </Typography>
      <Button component={Link} to={paths.automationBuilder} variant="outlined" startIcon={<AddIcon />}>
        Nova Automação
      </Button>
    </Box>
    <Content {...props} />
  </Box>
)
