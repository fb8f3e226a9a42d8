import Box from '@mui/material/Box'
import LinearProgress from '@mui/material/LinearProgress'
import Typography from '@mui/material/Typography'
import type { ReadModelReport } from '@prosa/contracts/http/administration/operations'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import RebuildIcon from '~icons/ic/round-autorenew'
import TableIcon from '~icons/ic/round-table-rows'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { type Column, DataTable } from '../../../components/tables/data-table.tsx'
import { count, plural } from '../../../lib/format/format.ts'
import { wholeTime } from '../../../lib/format/whole-time.ts'
import type { PagedList } from '../../../lib/http/use-paged-list.ts'
import { AdminSection } from '../admin-section.tsx'
import { useHistoryDrawer } from '../history/use-history-drawer.tsx'
import { ReasonDialog } from '../reason-dialog.tsx'
import { readModelsQuery, useRebuild } from './api.ts'
import { lagOf, readModelName, restOf, stateOf } from './maintenance-words.ts'

const Named = ({ name }: ReadModelReport) => (
  <Box component="span" sx={{ display: 'block', minWidth: 0 }}>
    {readModelName(name)}
    <Typography variant="caption" component="span" sx={{ display: 'block', color: 'text.secondary' }}>
      {name}
    </Typography>
  </Box>
)

const State = (report: ReadModelReport) => {
  const { progress, name, rebuiltAt } = report
  return (
    <Box sx={{ display: 'grid', gap: 1, justifyItems: 'start' }}>
      <StatusBadge {...stateOf(report)} />
      {progress ? (
        <>
          <LinearProgress
            variant="determinate"
            value={progress.percent}
            aria-label={`Reconstrução de ${readModelName(name)}`}
            sx={{ width: '100%', bgcolor: 'primarySoft' }}
          />
          <Typography variant="caption" component="span" sx={{ color: 'text.secondary' }}>
            {progress.percent}%, {restOf(progress)}
          </Typography>
        </>
      ) : (
        rebuiltAt && (
          <Typography variant="caption" component="span" sx={{ color: 'text.secondary' }}>
            Reconstruída {wholeTime(rebuiltAt)}
          </Typography>
        )
      )}
    </Box>
  )
}

const columnsIn = (measure: 'events' | 'bytes'): Column<ReadModelReport>[] => [
  { title: 'Tabela', cell: Named },
  { title: 'Situação', cell: State },
  { title: 'Atraso', numeric: true, cell: ({ lag }) => lagOf(lag, measure) },
  { title: 'Posição', numeric: true, secondary: true, cell: ({ position }) => count(position) },
  { title: 'Versão', numeric: true, secondary: true, cell: ({ version }) => version },
  {
    title: 'Contas paradas',
    numeric: true,
    secondary: true,
    cell: ({ parkedTenants }) => (parkedTenants === 0 ? '—' : plural(parkedTenants, 'conta', 'contas')),
  },
]

const RebuildDialog = ({ name, onClose }: { name: string; onClose: () => void }) => {
  return (
    <ReasonDialog
      title={`Reconstruir ${readModelName(name)}?`}
      sentence="Uma tabela nova é feita do registro de eventos, ao lado da atual. Quem usa o Prosa continua vendo a atual, em dia, até a nova tomar o lugar dela. Nada se perde, e pode levar alguns minutos."
      confirm="Reconstruir"
      command={useRebuild(name)}
      onClose={onClose}
    />
  )
}

export const ReadModelsSection = () => {
  const [rebuilding, setRebuilding] = useState<string | null>(null)
  const { data, error, refetch } = useQuery(readModelsQuery)
  const list: PagedList<ReadModelReport> = {
    rows: data?.readModels,
    error,
    retry: () => void refetch(),
    ...{ hasMore: false, loadingMore: false, loadMore: () => undefined },
  }
  const { historyAction, historyDrawer } = useHistoryDrawer()
  return (
    <AdminSection
      title="Tabelas de leitura"
      sentence="O que as telas mostram vem delas, e elas vêm do registro de eventos: qualquer uma pode ser refeita."
    >
      <DataTable
        label="Tabelas de leitura"
        columns={columnsIn(data?.measure ?? 'events')}
        list={list}
        rowKey={({ name }) => name}
        rowName={({ name }) => readModelName(name)}
        actions={({ name, state }) => [
          {
            label: 'Reconstruir',
            icon: <RebuildIcon />,
            disabled: state === 'requested' || state === 'rebuilding',
            onPress: () => setRebuilding(name),
          },
          historyAction({ kind: 'work', id: name, name: readModelName(name) }),
        ]}
        empty={
          <EmptyState
            icon={<TableIcon />}
            title="Nenhuma tabela de leitura"
            sentence="Elas aparecem quando o serviço que as mantém começa a rodar."
          />
        }
      />
      {historyDrawer}
      {rebuilding !== null && <RebuildDialog name={rebuilding} onClose={() => setRebuilding(null)} />}
    </AdminSection>
  )
}
