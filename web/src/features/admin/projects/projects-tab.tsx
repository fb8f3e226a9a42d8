import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ListedProject } from '@prosa/contracts/http/administration/admin-lists'
import FlowIcon from '~icons/ic/round-schema'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { type Column, DataTable } from '../../../components/tables/data-table.tsx'
import { WhyButton } from '../../../components/why/why-button.tsx'
import { plainDate } from '../../../lib/format/format.ts'
import { call } from '../../../lib/http/call.ts'
import { usePagedList } from '../../../lib/http/use-paged-list.ts'
import { useHistoryDrawer } from '../history/use-history-drawer.tsx'

const columns: readonly Column<ListedProject>[] = [
  {
    title: 'Projeto',
    cell: ({ id, name, isSample }) => (
      <Box component="span" sx={{ display: 'block', minWidth: 0, overflowWrap: 'anywhere' }}>
        {name} <WhyButton asAdmin of={{ kind: 'flow', id, field: 'name' }} what={`Nome de ${name}`} />
        {isSample && (
          <Typography component="span" variant="caption" sx={{ display: 'block', color: 'text.secondary' }}>
            Exemplo do Prosa, fora da conta dos projetos
          </Typography>
        )}
      </Box>
    ),
  },
  {
    title: 'Status',
    cell: ({ id, name, status }) => (
      <>
        {status === 'active' ? <StatusBadge tone="good" label="Ativo" /> : <StatusBadge tone="busy" label="Pausado" />}
        <WhyButton asAdmin of={{ kind: 'flow', id, field: 'status' }} what={`Status de ${name}`} />
      </>
    ),
  },
  { title: 'Conta', cell: ({ account }) => account?.name ?? 'Conta excluída' },
  { title: 'Criado em', numeric: true, cell: ({ createdAt }) => plainDate(createdAt) },
]

export const ProjectsTab = () => {
  const list = usePagedList<ListedProject>({
    queryKey: ['admin', 'projects'],
    load: (cursor, signal) => call('GET /api/admin/projects', { signal, query: { cursor } }),
  })
  const { historyAction, historyDrawer } = useHistoryDrawer()
  return (
    <>
      <DataTable
        label="Projetos"
        columns={columns}
        list={list}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        actions={({ id, name }) => [historyAction({ kind: 'flow', id, name })]}
        empty={
          <EmptyState
            icon={<FlowIcon />}
            title="Nenhum projeto ainda"
            sentence="Os fluxos de conversa que as contas criarem aparecem aqui."
          />
        }
      />
      {historyDrawer}
    </>
  )
}
