import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import type { FlowRun } from '@prosa/contracts/http/flow-runs'
import { useEffect, useRef, useState } from 'react'
import BackIcon from '~icons/ic/round-arrow-back'
import RunIcon from '~icons/ic/round-play-circle-outline'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { NotReadPanel } from '../../../components/notices/not-read-panel.tsx'
import { Spinner } from '../../../components/spinner.tsx'
import { useIsPhone } from '../use-is-phone.ts'
import { useFlowRuns } from './api.ts'
import { RunExplained } from './run-explained.tsx'
import { RunList } from './run-list.tsx'

interface Props {
  flowId: string
  draft: FlowDocument
  onShowNode: (nodeId: string) => void
}

export const RunsTab = ({ flowId, draft, onShowNode }: Props) => {
  const list = useFlowRuns(flowId)
  const isPhone = useIsPhone()
  const [chosenId, setChosenId] = useState<string | null>(null)
  const area = useRef<HTMLDivElement>(null)
  const left = useRef<string | null>(null)
  const { rows, error } = list

  useEffect(() => {
    if (!isPhone || chosenId !== null || left.current === null) return
    area.current?.querySelector<HTMLElement>(`[data-run="${left.current}"] button`)?.focus()
  }, [isPhone, chosenId])

  if (rows === undefined && error)
    return <NotReadPanel title="As execuções não puderam ser lidas" error={error} onRetry={list.retry} />
  if (rows === undefined) return <Spinner />
  if (rows.length === 0)
    return (
      <EmptyState
        icon={<RunIcon />}
        title="Nenhuma execução ainda"
        sentence="Publique o fluxo: cada conversa em que ele responder aparece aqui, explicada passo a passo."
      />
    )

  const choose = (run: FlowRun) => {
    left.current = run.id
    setChosenId(run.id)
  }
  const shows = (part: 'list' | 'run') => !isPhone || (part === 'run') === (chosenId !== null)
  return (
    <Box
      ref={area}
      sx={{
        display: 'grid',
        gap: 6,
        alignItems: 'start',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) minmax(0, 2fr)' },
      }}
    >
      {shows('list') && <RunList runs={rows} list={list} chosenId={chosenId} onChoose={choose} />}
      {shows('run') && (
        <div>
          {isPhone && (
            <Button color="inherit" startIcon={<BackIcon />} autoFocus onClick={() => setChosenId(null)}>
              Todas as execuções
            </Button>
          )}
          {chosenId === null ? (
            <EmptyState title="Escolha uma execução" sentence="Veja aqui o que o fluxo fez em cada passo, e por quê." />
          ) : (
            <RunExplained key={chosenId} runId={chosenId} draft={draft} onShowNode={onShowNode} />
          )}
        </div>
      )}
    </Box>
  )
}
