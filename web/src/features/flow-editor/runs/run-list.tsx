import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import ButtonBase from '@mui/material/ButtonBase'
import Typography from '@mui/material/Typography'
import type { FlowRun } from '@prosa/contracts/http/flow-runs'
import { Panel } from '../../../components/layout/panel.tsx'
import { dayAndTime } from '../../../lib/format/format.ts'
import type { PagedList } from '../../../lib/http/use-paged-list.ts'
import { RunBadge } from './run-badge.tsx'

export const runContact = ({ contactName }: Pick<FlowRun, 'contactName'>): string => contactName ?? 'Contato sem nome'

interface Props {
  runs: readonly FlowRun[]
  list: PagedList<FlowRun>
  chosenId: string | null
  onChoose: (run: FlowRun) => void
}

export const RunList = ({ runs, list, chosenId, onChoose }: Props) => {
  const now = Date.now()
  return (
    <Panel>
      <Box
        component="ol"
        aria-label="Execuções"
        sx={{ m: 0, p: 0, listStyle: 'none', borderRadius: 'inherit', overflow: 'hidden' }}
      >
        {runs.map((run) => (
          <Box
            component="li"
            key={run.id}
            data-run={run.id}
            sx={{ '& + &': { borderTop: '1px solid', borderColor: 'divider' } }}
          >
            <ButtonBase
              aria-current={run.id === chosenId}
              onClick={() => onChoose(run)}
              sx={{
                width: '100%',
                display: 'grid',
                justifyContent: 'start',
                gap: 0.5,
                px: 4,
                py: 2.5,
                textAlign: 'left',
                bgcolor: run.id === chosenId ? 'primarySoft' : undefined,
                '&:hover': { bgcolor: run.id === chosenId ? 'primarySoft' : 'action.hover' },
              }}
            >
              <Typography variant="subtitle2" component="span" sx={{ overflowWrap: 'anywhere' }}>
                {runContact(run)}
              </Typography>
              <Typography component="span">
                <RunBadge run={run} />
              </Typography>
              <Typography variant="caption" component="span" sx={{ color: 'text.secondary' }}>
                {dayAndTime(run.startedAt, now)} · versão {run.version}
              </Typography>
            </ButtonBase>
          </Box>
        ))}
      </Box>
      {list.hasMore && (
        <Box sx={{ display: 'flex', justifyContent: 'center', p: 2, borderTop: '1px solid', borderColor: 'divider' }}>
          <Button color="inherit" disabled={list.loadingMore} onClick={list.loadMore}>
            {list.loadingMore ? 'Carregando...' : list.error ? 'Tentar de novo' : 'Mostrar mais'}
          </Button>
        </Box>
      )}
    </Panel>
  )
}
