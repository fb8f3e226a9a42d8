import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { Flow, FlowFolder } from '@prosa/contracts/http/flows'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import CopyIcon from '~icons/ic/round-content-copy'
import DeleteIcon from '~icons/ic/round-delete-outline'
import DownloadIcon from '~icons/ic/round-download'
import MoveIcon from '~icons/ic/round-drive-file-move'
import RenameIcon from '~icons/ic/round-drive-file-rename-outline'
import EditIcon from '~icons/ic/round-edit'
import FlowIcon from '~icons/ic/round-schema'
import OffIcon from '~icons/ic/round-toggle-off'
import OnIcon from '~icons/ic/round-toggle-on'
import { useOwnHistoryDrawer } from '../../components/history/own/use-own-history.tsx'
import { EmptyState } from '../../components/layout/empty-state.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { type Column, DataTable } from '../../components/tables/data-table.tsx'
import type { RowAction } from '../../components/tables/row-menu.tsx'
import { WhyButton } from '../../components/why/why-button.tsx'
import { conversion, flowEditor, flowStatisticsQuery, flowStatuses, leadsSentence } from '../../lib/account/flows.ts'
import { count, plainDate } from '../../lib/format/format.ts'
import type { PagedList } from '../../lib/http/use-paged-list.ts'
import { useDuplicateFlow, useExportFlow, useTurnFlow } from './api.ts'
import type { Shown } from './flow-dialogs.tsx'

const FlowStatusBadge = ({ id, name, status }: Pick<Flow, 'id' | 'name' | 'status'>) => (
  <>
    <StatusBadge {...flowStatuses[status]} />{' '}
    <WhyButton of={{ kind: 'flow', id, field: 'status' }} what={`Status de ${name}`} />
  </>
)

const pageSize = 50

/** All flows are loaded; the pages limit the rendered rows. */
const usePages = (flows: readonly Flow[]): PagedList<Flow> => {
  const [pages, setPages] = useState(1)
  return {
    rows: flows.slice(0, pages * pageSize),
    error: null,
    retry: () => undefined,
    hasMore: flows.length > pages * pageSize,
    loadingMore: false,
    loadMore: () => setPages(pages + 1),
  }
}

const useColumns = (folders: readonly FlowFolder[], inFolder: boolean): readonly Column<Flow>[] => {
  const { data: statistics } = useQuery(flowStatisticsQuery)
  return useMemo(() => {
    const folderNames = new Map(folders.map(({ id, name }) => [id, name]))
    const byFlow = new Map(statistics?.map((each) => [each.flowId, each]))
    const none = { leads: 0, converted: 0 }
    const countsOf = ({ id }: Flow) => statistics && (byFlow.get(id) ?? none)
    return [
      {
        title: 'Nome',
        cell: ({ id, name }: Flow) => (
          <Box component={Link} to={flowEditor(id)} sx={{ color: 'primary.main' }}>
            {name}
          </Box>
        ),
      },
      { title: 'Status', cell: FlowStatusBadge },
      ...(inFolder
        ? []
        : [
            {
              title: 'Pasta',
              secondary: true,
              cell: ({ folderId }: Flow) => (folderId && folderNames.get(folderId)) ?? 'Sem pasta',
            },
          ]),
      { title: 'Atualizado', numeric: true, cell: ({ updatedAt }: Flow) => plainDate(updatedAt) },
      {
        title: 'Leads',
        numeric: true,
        cell: (flow: Flow) => {
          const counts = countsOf(flow)
          return counts ? count(counts.leads) : '–'
        },
      },
      {
        title: 'Conversão',
        numeric: true,
        cell: (flow: Flow) => {
          const counts = countsOf(flow)
          return counts ? conversion(counts) : '–'
        },
      },
    ]
  }, [folders, inFolder, statistics])
}

const useActions = (onShow: (shown: Shown) => void) => {
  const navigate = useNavigate()
  const turn = useTurnFlow()
  const duplicate = useDuplicateFlow()
  const exporting = useExportFlow()
  const { action, drawer } = useOwnHistoryDrawer()
  const actionsOf = (flow: Flow): RowAction[] => [
    { label: 'Editar', icon: <EditIcon />, onPress: () => navigate(flowEditor(flow.id)) },
    ...(flow.status === 'draft'
      ? []
      : [
          flow.status === 'active'
            ? { label: 'Desligar', icon: <OffIcon />, onPress: () => turn.mutate({ id: flow.id, isOn: false }) }
            : { label: 'Ligar', icon: <OnIcon />, onPress: () => turn.mutate({ id: flow.id, isOn: true }) },
        ]),
    { label: 'Renomear', icon: <RenameIcon />, onPress: () => onShow({ dialog: 'renameFlow', flow }) },
    { label: 'Duplicar', icon: <CopyIcon />, onPress: () => duplicate.mutate(flow.id) },
    { label: 'Mover', icon: <MoveIcon />, onPress: () => onShow({ dialog: 'moveFlow', flow }) },
    { label: 'Exportar', icon: <DownloadIcon />, onPress: () => exporting.mutate(flow) },
    action({ title: `Fluxo ${flow.name}`, filters: { record: `flow:${flow.id}` } }),
    {
      label: 'Excluir',
      icon: <DeleteIcon />,
      destructive: true,
      onPress: () => onShow({ dialog: 'deleteFlow', flow }),
    },
  ]
  return { actionsOf, drawer }
}

interface Props {
  found: readonly Flow[]
  folders: readonly FlowFolder[]
  folder: FlowFolder | undefined
  /** The search or filters hide others. */
  isNarrowed: boolean
  onShow: (shown: Shown) => void
  onClear: () => void
}

export const FlowsTab = ({ found, folders, folder, isNarrowed, onShow, onClear }: Props) => {
  const list = usePages(found)
  const columns = useColumns(folders, folder !== undefined)
  const { actionsOf, drawer } = useActions(onShow)
  const first = (
    <Button variant="contained" onClick={() => onShow({ dialog: 'newFlow' })}>
      Criar Primeiro Fluxo
    </Button>
  )
  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <DataTable
        label={folder ? `Fluxos em ${folder.name}` : 'Fluxos'}
        columns={columns}
        list={list}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        actions={actionsOf}
        empty={
          folder?.flowCount === 0 ? (
            <EmptyState
              icon={<FlowIcon />}
              title="Nenhum fluxo nesta pasta"
              sentence="Crie um aqui, ou mova outro para cá em Ações → Mover."
              action={first}
            />
          ) : isNarrowed ? (
            <EmptyState
              icon={<FlowIcon />}
              title="Nenhum fluxo encontrado"
              sentence="Tente ajustar sua busca"
              action={
                <Button variant="outlined" color="inherit" onClick={onClear}>
                  Limpar busca e filtros
                </Button>
              }
            />
          ) : (
            <EmptyState
              icon={<FlowIcon />}
              title="Nenhum fluxo criado"
              sentence="Comece criando seu primeiro fluxo de conversa"
              action={first}
            />
          )
        }
      />
      {drawer}
      {found.length > 0 && (
        <Typography variant="caption" sx={{ color: 'text.secondary', textWrap: 'pretty' }}>
          {leadsSentence}
        </Typography>
      )}
    </Box>
  )
}
