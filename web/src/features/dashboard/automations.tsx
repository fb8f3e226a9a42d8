import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import type { AutomationProject } from '@prosa/contracts/http/dashboard'
import { Link } from 'react-router-dom'
import FlowIcon from '~icons/ic/round-account-tree'
import AddIcon from '~icons/ic/round-add'
import { EmptyState } from '../../components/empty-state.tsx'
import { panelStyle } from '../../components/panel.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { plainDate } from '../../lib/format.ts'
import { settingsSection } from '../../lib/paths.ts'

/** Where 'Projetos Ativos' leads. */
export const automationsId = 'suas-automacoes'

/** Until flows can be made, what says that they cannot. */
export const newAutomationPath = settingsSection('fluxo-padrao')

const Project = ({ name, isActive, createdAt }: AutomationProject) => (
  <Box
    component="li"
    sx={{
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'center',
      columnGap: 4,
      p: 4,
      borderTop: '1px solid',
      borderColor: 'divider',
    }}
  >
    <Typography variant="subtitle1" component="h3" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
      {name}
    </Typography>
    <StatusBadge tone={isActive ? 'good' : 'busy'} label={isActive ? 'Ativo' : 'Pausado'} />
    <Typography variant="caption" sx={{ color: 'text.secondary' }}>
      Criado em {plainDate(createdAt)}
    </Typography>
  </Box>
)

interface Props {
  projects: readonly AutomationProject[] | undefined
  failed: boolean
  onRetry: () => void
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
        sentence="Em breve seus fluxos de conversa respondem sozinhos a quem escreve, e aparecem aqui."
      />
    )
  return (
    <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }} aria-busy={!projects}>
      {projects ? (
        projects.map((project) => <Project key={project.id} {...project} />)
      ) : (
        <Skeleton component="li" variant="rounded" sx={{ m: 4, height: 'var(--card-height)' }} />
      )}
    </Box>
  )
}

/** 'Suas Automações': the flows that answer by themselves. */
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
      <Button component={Link} to={newAutomationPath} variant="outlined" startIcon={<AddIcon />}>
        Nova Automação
      </Button>
    </Box>
    <Content {...props} />
  </Box>
)
