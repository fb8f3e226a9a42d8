import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import Typography from '@mui/material/Typography'
import type { WebhookLog, WebhookLogStatus } from '@prosa/contracts/http/accounts/webhook-logs'
import { useState } from 'react'
import InboxIcon from '~icons/ic/round-inbox'
import ReplayIcon from '~icons/ic/round-replay'
import SearchOffIcon from '~icons/ic/round-search-off'
import ViewIcon from '~icons/ic/round-visibility'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { type Column, DataTable } from '../../../components/tables/data-table.tsx'
import { TableToolbar } from '../../../components/tables/table-toolbar.tsx'
import { WhyButton } from '../../../components/why/why-button.tsx'
import { wholeTime } from '../../../lib/format/whole-time.ts'
import { useAddressFilter } from '../../../lib/forms/use-address-filter.ts'
import { forgetDeclined } from '../../../lib/http/reading-purpose.ts'
import { useHistoryDrawer } from '../history/use-history-drawer.tsx'
import { useWebhookLogs } from './api.ts'
import { LogDialog } from './log-dialog.tsx'
import { LogStatus } from './log-status.tsx'
import { ReprocessDialog } from './reprocess-dialog.tsx'
import { SetupPanel } from './setup-panel.tsx'
import { kindLabel, shortId, statusWords } from './webhook-words.ts'

const statuses = Object.keys(statusWords) as WebhookLogStatus[]
const statusOf = (text: string) => statuses.find((status) => status === text)

const orderOf = ({ orderRef, orderId }: WebhookLog) => orderRef ?? (orderId === null ? '—' : shortId(orderId))

const columnsWith = (onOpen: (id: string) => void): Column<WebhookLog>[] => [
  {
    title: 'Aviso',
    cell: (log) => (
      <Box sx={{ minWidth: 0 }}>
        <Button color="inherit" size="small" onClick={() => onOpen(log.id)} sx={{ ml: -2, px: 2 }}>
          {kindLabel(log)}
        </Button>
        {(log.errorMessage ?? log.note) && (
          <Typography variant="caption" component="p" sx={{ color: log.errorMessage ? 'danger' : 'text.secondary' }}>
            {log.errorMessage ?? log.note}
          </Typography>
        )}
      </Box>
    ),
  },
  {
    title: 'Status',
    cell: ({ id, status }) => (
      <>
        <LogStatus status={status} />
        {status !== 'processing' && (
          <WhyButton asAdmin of={{ kind: 'delivery', id, field: 'status' }} what="Status do aviso" />
        )}
      </>
    ),
  },
  { title: 'Pedido', cell: orderOf },
  { title: 'Endereço', secondary: true, cell: ({ method, endpoint }) => `${method} ${endpoint}` },
  { title: 'Repetido', numeric: true, secondary: true, cell: ({ repeated }) => (repeated === 0 ? '—' : repeated) },
  { title: 'Recebido', cell: ({ createdAt }) => wholeTime(createdAt) },
]

const StatusFilter = ({ status, onChange }: { status: string; onChange: (status: string) => void }) => (
  <ToggleButtonGroup
    exclusive
    size="small"
    value={status}
    aria-label="Status"
    onChange={(_event, chosen: string | null) => onChange(chosen ?? '')}
  >
    <ToggleButton value="">Todos</ToggleButton>
    {statuses.map((each) => (
      <ToggleButton key={each} value={each}>
        {statusWords[each].label}
      </ToggleButton>
    ))}
  </ToggleButtonGroup>
)

const NothingYet = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <EmptyState
      icon={<SearchOffIcon />}
      title="Nenhum aviso encontrado"
      sentence="Mude a busca ou o filtro de status."
    />
  ) : (
    <EmptyState
      icon={<InboxIcon />}
      title="Nenhum aviso ainda"
      sentence="Cadastre as URLs da aba Planos na Kiwify. Cada aviso que chegar aparece aqui."
    />
  )

export const WebhookTab = () => {
  const [status, setStatus] = useAddressFilter('status')
  const [search, setSearch] = useAddressFilter('busca')
  const [opened, setOpened] = useAddressFilter('aviso')
  const [reprocessing, setReprocessing] = useState<string | null>(null)
  const list = useWebhookLogs(statusOf(status), search)
  const { historyAction, historyDrawer } = useHistoryDrawer()
  const open = (id: string) => {
    forgetDeclined()
    setOpened(id)
  }
  return (
    <Box sx={{ display: 'grid', gap: 5, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <SetupPanel />
      <Box component="section" aria-labelledby="webhook-log" sx={{ display: 'grid', gap: 4, minWidth: 0 }}>
        <Typography variant="h2" id="webhook-log">
          Avisos recebidos
        </Typography>
        <TableToolbar
          search={{ label: 'Buscar por pedido', search, onSearch: setSearch }}
          filters={<StatusFilter status={statusOf(status) ?? ''} onChange={setStatus} />}
        />
        <DataTable
          label="Avisos recebidos"
          columns={columnsWith(open)}
          list={list}
          rowKey={({ id }) => id}
          rowName={(log) => `${kindLabel(log)}, pedido ${orderOf(log)}`}
          actions={(log) => [
            { label: 'Ver detalhes', icon: <ViewIcon />, onPress: () => open(log.id) },
            historyAction({ kind: 'delivery', id: log.id, name: kindLabel(log) }),
            {
              label: 'Reprocessar',
              icon: <ReplayIcon />,
              disabled: log.hasBodyExpired,
              onPress: () => setReprocessing(log.id),
            },
          ]}
          empty={<NothingYet isFiltered={status !== '' || search !== ''} />}
        />
      </Box>
      {historyDrawer}
      {opened !== '' && (
        <LogDialog id={opened} onReprocess={() => setReprocessing(opened)} onClose={() => setOpened('')} />
      )}
      {reprocessing !== null && <ReprocessDialog id={reprocessing} onClose={() => setReprocessing(null)} />}
    </Box>
  )
}
