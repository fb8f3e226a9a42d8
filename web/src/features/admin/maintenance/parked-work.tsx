import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ParkedWork } from '@prosa/contracts/http/administration/operations'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import DoneIcon from '~icons/ic/round-check-circle'
import EventIcon from '~icons/ic/round-manage-search'
import ReplayIcon from '~icons/ic/round-replay'
import SkipIcon from '~icons/ic/round-skip-next'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { type Column, DataTable } from '../../../components/tables/data-table.tsx'
import { plural } from '../../../lib/format/format.ts'
import { wholeTime } from '../../../lib/format/whole-time.ts'
import type { PagedList } from '../../../lib/http/use-paged-list.ts'
import { adminTab } from '../../../lib/paths.ts'
import { AdminSection } from '../admin-section.tsx'
import { useHistoryDrawer } from '../history/use-history-drawer.tsx'
import { ReasonDialog } from '../reason-dialog.tsx'
import { parkedWorkQuery, useReleaseWork, useRetryWork } from './api.ts'
import { workerName } from './maintenance-words.ts'

const requestWords = { retry: 'Tentando de novo', release: 'Pulando o evento' } as const

const Named = ({ worker, errorName, message }: ParkedWork) => (
  <Box sx={{ minWidth: 0 }}>
    {workerName(worker)}
    <Typography variant="caption" component="p" sx={{ color: 'danger', overflowWrap: 'anywhere' }}>
      {errorName}: {message}
    </Typography>
  </Box>
)

const columns: readonly Column<ParkedWork>[] = [
  { title: 'Trabalho', cell: Named },
  {
    title: 'Situação',
    cell: ({ request }) =>
      request === null ? (
        <StatusBadge tone="bad" label="Parado" />
      ) : (
        <StatusBadge tone="busy" label={requestWords[request]} />
      ),
  },
  { title: 'Conta', secondary: true, cell: ({ tenant }) => tenant?.slice(0, 8) ?? '—' },
  { title: 'Parado desde', cell: ({ parkedAt }) => wholeTime(parkedAt) },
  { title: 'Tentativas', numeric: true, secondary: true, cell: ({ attempts }) => attempts },
  { title: 'Na fila', numeric: true, cell: ({ waiting }) => plural(waiting, 'evento', 'eventos') },
]

/** One page: the server returns 500 at most. */
const useParkedWork = (): PagedList<ParkedWork> => {
  const { data, error, refetch } = useQuery(parkedWorkQuery)
  const rest = { hasMore: false, loadingMore: false, loadMore: () => undefined }
  return { rows: data, error, retry: () => void refetch(), ...rest }
}

type DialogProps = { work: ParkedWork; onClose: () => void }

/** What a retry does depends on who failed. */
const retrying = ({ worker, waiting, errorName }: ParkedWork): string => {
  const queue = plural(waiting, 'evento é tratado', 'eventos são tratados')
  const what = worker.startsWith('projection ')
    ? 'as linhas desta conta passam a ser atualizadas de novo; nada é enviado a ninguém'
    : worker.startsWith('timer ')
      ? 'o prazo é cumprido agora, uma só vez'
      : 'o que o evento pede é feito, uma só vez, mesmo que uma parte já tenha sido feita'
  return `${workerName(worker)}: ${queue} em ordem, a partir do que falhou (${errorName}), e ${what}. Se falhar de novo, volta para esta lista.`
}

const RetryDialog = ({ work, onClose }: DialogProps) => {
  return (
    <ReasonDialog
      title="Tentar novamente?"
      sentence={retrying(work)}
      confirm="Tentar novamente"
      command={useRetryWork(work.id)}
      onClose={onClose}
    />
  )
}

const SkipDialog = ({ work, onClose }: DialogProps) => {
  return (
    <ReasonDialog
      title="Pular o evento que falha?"
      sentence={`${workerName(work.worker)}: este evento deixa de ser tratado, e os seguintes continuam em ordem. O evento fica no registro, mas pular não tem volta.`}
      confirm="Pular"
      destructive
      needsReason
      command={useReleaseWork(work.id)}
      onClose={onClose}
    />
  )
}

type Open = { dialog: 'retry' | 'skip'; work: ParkedWork } | null

export const ParkedWorkSection = () => {
  const [open, setOpen] = useState<Open>(null)
  const list = useParkedWork()
  const { historyAction, historyDrawer } = useHistoryDrawer()
  const close = () => setOpen(null)
  const navigate = useNavigate()
  return (
    <AdminSection
      title="Trabalho parado"
      sentence="O que falhou várias vezes espera aqui, com o que veio depois. Todo o resto continua."
    >
      <DataTable
        label="Trabalho parado"
        columns={columns}
        list={list}
        rowKey={({ id }) => id}
        rowName={({ worker }) => workerName(worker)}
        actions={(work) => [
          {
            label: 'Tentar novamente',
            icon: <ReplayIcon />,
            disabled: work.request !== null,
            onPress: () => setOpen({ dialog: 'retry', work }),
          },
          historyAction({ kind: 'work', id: work.id, name: workerName(work.worker) }),
          ...(work.eventId === null
            ? []
            : [
                {
                  label: 'Ver o evento que falhou',
                  icon: <EventIcon />,
                  onPress: () => navigate(adminTab('historico', { busca: work.eventId ?? '' })),
                },
              ]),
          {
            label: 'Pular',
            icon: <SkipIcon />,
            destructive: true,
            disabled: work.request !== null || work.eventId === null,
            onPress: () => setOpen({ dialog: 'skip', work }),
          },
        ]}
        empty={
          <EmptyState
            icon={<DoneIcon />}
            title="Nada está parado"
            sentence="Quando algo falhar várias vezes seguidas, aparece aqui com o motivo."
          />
        }
      />
      {historyDrawer}
      {open?.dialog === 'retry' && <RetryDialog work={open.work} onClose={close} />}
      {open?.dialog === 'skip' && <SkipDialog work={open.work} onClose={close} />}
    </AdminSection>
  )
}
