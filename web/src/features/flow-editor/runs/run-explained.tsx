import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import type { FlowRunDetail } from '@prosa/contracts/http/flow-runs'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { ConfirmDialog } from '../../../components/forms/confirm-dialog.tsx'
import { OwnHistoryButton } from '../../../components/history/own/use-own-history.tsx'
import { NotReadPanel } from '../../../components/notices/not-read-panel.tsx'
import { Spinner } from '../../../components/spinner.tsx'
import { dayAndTime } from '../../../lib/format/format.ts'
import { failedBecause } from '../../../lib/http/http.ts'
import { paths } from '../../../lib/paths.ts'
import { useToast } from '../../../lib/toast.ts'
import { useFlowNames } from '../use-flow-names.ts'
import { flowVersionQuery } from '../versions/api.ts'
import { flowRunQuery, useStopRun } from './api.ts'
import { RunBadge } from './run-badge.tsx'
import { runContact } from './run-list.tsx'
import { RunSteps } from './run-steps.tsx'

interface Props {
  runId: string
  /** It may have other nodes than the version that ran. */
  draft: FlowDocument
  onShowNode: (nodeId: string) => void
}

const StopButton = ({ run }: { run: FlowRunDetail }) => {
  const [isAsked, setAsked] = useState(false)
  const stop = useStopRun()
  const toast = useToast()
  const confirm = () =>
    stop.mutate(run.id, {
      onSuccess: () => toast({ title: 'Sucesso', description: 'A execução foi interrompida.', kind: 'success' }),
      onError: (error) =>
        toast({ title: 'Erro', description: failedBecause('A execução continua', error), kind: 'error' }),
      onSettled: () => setAsked(false),
    })
  return (
    <>
      <Button variant="outlined" color="error" onClick={() => setAsked(true)}>
        Interromper
      </Button>
      {isAsked && (
        <ConfirmDialog
          open
          title="Interromper a execução"
          sentence={`O fluxo não dirá mais nada a ${runContact(run)} nesta conversa. O que já foi enviado fica.`}
          confirm="Interromper"
          destructive
          pending={stop.isPending}
          onConfirm={confirm}
          onCancel={() => setAsked(false)}
        />
      )}
    </>
  )
}

export const RunExplained = ({ runId, draft, onShowNode }: Props) => {
  const { data: run, error, isPending, refetch } = useQuery(flowRunQuery(runId))
  const version = useQuery({
    ...flowVersionQuery(run?.flowId ?? '', run?.version ?? 0),
    enabled: run !== undefined,
  })
  const names = useFlowNames()
  if (isPending) return <Spinner />
  if (!run) return <NotReadPanel title="A execução não pôde ser lida" error={error} onRetry={() => void refetch()} />
  const now = Date.now()
  return (
    <Box
      component="section"
      aria-label={`Execução com ${runContact(run)}`}
      sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)', alignContent: 'start' }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'start', gap: 3 }}>
        <Box sx={{ flex: '1 1 12rem', minWidth: 0 }}>
          <Typography variant="h2" component="h3" sx={{ overflowWrap: 'anywhere' }}>
            {runContact(run)}
          </Typography>
          <Typography component="div" sx={{ color: 'text.secondary' }}>
            <RunBadge run={run} /> · versão {run.version}
            {run.until !== null && ` · espera até ${dayAndTime(run.until, now)}`}
          </Typography>
          <Link to={`${paths.liveChat}?${new URLSearchParams({ contato: run.contactId })}`}>Abrir a conversa</Link>
        </Box>
        <OwnHistoryButton target={{ title: `Execução com ${runContact(run)}`, filters: { record: `run:${run.id}` } }} />
        {run.endedAt === null && <StopButton run={run} />}
      </Box>
      <RunSteps
        run={run}
        context={{ document: version.data?.document, names, now }}
        draft={draft}
        onShowNode={onShowNode}
      />
    </Box>
  )
}
