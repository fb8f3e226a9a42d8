import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import FormControlLabel from '@mui/material/FormControlLabel'
import Switch from '@mui/material/Switch'
import Typography from '@mui/material/Typography'
import type { AdminTransaction } from '@prosa/contracts/http/accounts/transactions'
import { type ReactNode, useState } from 'react'
import DeleteIcon from '~icons/ic/round-delete-outline'
import DownloadIcon from '~icons/ic/round-download'
import AssignIcon from '~icons/ic/round-person-add'
import EraseIcon from '~icons/ic/round-person-remove'
import ReceiptIcon from '~icons/ic/round-receipt-long'
import RestoreIcon from '~icons/ic/round-restore'
import SearchIcon from '~icons/ic/round-search'
import PlanIcon from '~icons/ic/round-sell'
import { SelectField } from '../../../components/forms/select-field.tsx'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { type Column, DataTable } from '../../../components/tables/data-table.tsx'
import { DayFilters } from '../../../components/tables/day-filters.tsx'
import type { RowAction } from '../../../components/tables/row-menu.tsx'
import { TableToolbar } from '../../../components/tables/table-toolbar.tsx'
import { WhyButton } from '../../../components/why/why-button.tsx'
import { plainDate } from '../../../lib/format/format.ts'
import { reais, transactionLabel, transactionStatuses } from '../../../lib/format/transaction-words.ts'
import { useAddressFilter } from '../../../lib/forms/use-address-filter.ts'
import { useAddressSorting } from '../../../lib/forms/use-address-sorting.ts'
import { addressOf } from '../../../lib/http/call.ts'
import { useDownload } from '../../../lib/http/use-download.ts'
import { useHistoryDrawer } from '../history/use-history-drawer.tsx'
import { transactionsFile, useTransactionList } from './api.ts'
import { AssignPlanDialog } from './assign-plan-dialog.tsx'
import { EraseBuyerDialog } from './erase-buyer-dialog.tsx'
import { AssignTransactionDialog, DeleteTransactionDialog, RestoreTransactionDialog } from './transaction-dialogs.tsx'

const Two = ({ first, second }: { first: ReactNode; second: string | null }) => (
  <Box component="span" sx={{ display: 'block', minWidth: 0, overflowWrap: 'anywhere' }}>
    {first}
    {second && (
      <Typography component="span" variant="caption" sx={{ display: 'block', color: 'text.secondary' }}>
        {second}
      </Typography>
    )}
  </Box>
)

const accountOf = ({ owner: account }: AdminTransaction) => {
  if (!account) return <Two first="Sem conta" second={null} />
  return <Two first={account.name ?? '[apagado]'} second={account.email} />
}

/** Kiwify's references have seven characters and stay on one line; substitute ids wrap. */
const referenceOf = ({ transactionId }: AdminTransaction) => (
  <Box component="span" sx={{ display: 'block', minWidth: '10ch' }}>
    {transactionId}
  </Box>
)

const planOf = (transaction: AdminTransaction) => {
  const { lacksPlan, planName, productName } = transaction
  const plan = planName === null ? '–' : transactionLabel(transaction)
  return <Two first={lacksPlan ? <StatusBadge tone="bad" label="Sem plano" /> : plan} second={productName} />
}

const statusOf = ({ id, transactionId, status, isErasedBuyerCharged }: AdminTransaction) => (
  <Box component="span" sx={{ display: 'block', minWidth: 0 }}>
    <StatusBadge {...transactionStatuses[status]} />
    <WhyButton asAdmin of={{ kind: 'order', id, field: 'status' }} what={`Status de ${transactionId}`} />
    {isErasedBuyerCharged && (
      <Typography component="span" variant="caption" sx={{ display: 'block', color: 'danger' }}>
        Cobrança de quem foi apagado
      </Typography>
    )}
  </Box>
)

const columns: readonly Column<AdminTransaction>[] = [
  { title: 'Transação', cell: referenceOf },
  { title: 'Data', sort: 'date', numeric: true, cell: ({ createdAt }) => plainDate(createdAt) },
  { title: 'Plano', cell: planOf },
  {
    title: 'Comprador',
    secondary: true,
    // Both hold the same word once the buyer is erased.
    cell: ({ id, transactionId, buyerName, buyerEmail }) => (
      <>
        <Two first={buyerName ?? '–'} second={buyerEmail === buyerName ? null : buyerEmail} />
        {buyerName !== null && (
          <WhyButton asAdmin of={{ kind: 'order', id, field: 'buyer' }} what={`Comprador de ${transactionId}`} />
        )}
      </>
    ),
  },
  { title: 'Conta', cell: accountOf },
  {
    title: 'Valor',
    sort: 'amount',
    numeric: true,
    cell: ({ id, transactionId, amount }) => (
      <>
        {reais(amount)}
        <WhyButton asAdmin of={{ kind: 'order', id, field: 'amount' }} what={`Valor de ${transactionId}`} />
      </>
    ),
  },
  { title: 'Status', cell: statusOf },
]

const sorts = ['date', 'amount'] as const
const statuses = ['approved', 'declined', 'pending', 'refunded'] as const
const statusOptions = [
  { value: '', label: 'Todas' },
  ...statuses.map((value) => ({ value, label: transactionStatuses[value].label })),
]

interface Opened {
  dialog: 'delete' | 'restore' | 'assign' | 'plan'
  transaction: AdminTransaction
}

const useTransactionActions = (open: (opened: Opened) => void) => {
  const { historyAction, historyDrawer } = useHistoryDrawer()
  const download = useDownload()
  const shownActionsOf = (transaction: AdminTransaction): RowAction[] => [
    {
      label: transaction.owner ? 'Passar a outra conta' : 'Entregar a uma conta',
      icon: <AssignIcon />,
      onPress: () => open({ dialog: 'assign', transaction }),
    },
    ...(transaction.lacksPlan
      ? [
          {
            label: 'Escolher o plano',
            icon: <PlanIcon />,
            onPress: () => open({ dialog: 'plan' as const, transaction }),
          },
        ]
      : []),
    {
      label: 'Baixar recibo',
      icon: <DownloadIcon />,
      onPress: () =>
        download(
          addressOf('GET /api/admin/transactions/:id/invoice', { params: { id: transaction.id } }),
          transaction.owner?.id ?? null,
        ),
    },
    historyAction({ kind: 'order', id: transaction.id, name: transaction.transactionId }),
    {
      label: 'Excluir',
      icon: <DeleteIcon />,
      destructive: true,
      onPress: () => open({ dialog: 'delete', transaction }),
    },
  ]
  const hiddenActionsOf = (transaction: AdminTransaction): RowAction[] => [
    {
      label: 'Trazer de volta',
      icon: <RestoreIcon />,
      onPress: () => open({ dialog: 'restore', transaction }),
    },
    historyAction({ kind: 'order', id: transaction.id, name: transaction.transactionId }),
  ]
  const actionsOf = (transaction: AdminTransaction) =>
    transaction.isHidden ? hiddenActionsOf(transaction) : shownActionsOf(transaction)
  return { actionsOf, historyAction, historyDrawer }
}

const useFilters = () => {
  const [search, setSearch] = useState('')
  const [unclaimedText, setUnclaimed] = useAddressFilter('sem-conta')
  const [withoutPlanText, setWithoutPlan] = useAddressFilter('sem-plano')
  const unclaimed = unclaimedText !== ''
  const [hiddenText, setHidden] = useAddressFilter('ocultas')
  const [statusText, setStatus] = useAddressFilter('situacao')
  const [from, setFrom] = useAddressFilter('de')
  const [to, setTo] = useAddressFilter('ate')
  const sorting = useAddressSorting(sorts, 'date')
  const status = statuses.find((known) => known === statusText)
  const [withoutPlan, hidden] = [withoutPlanText !== '', hiddenText !== '']
  const filters = { search, unclaimed, withoutPlan, hidden, status, from, to, ...sorting.query }
  const isFiltered = unclaimed || withoutPlan || hidden || [search, statusText, from, to].some((text) => text !== '')
  return {
    ...{ filters, sorting, isFiltered, search, setSearch },
    ...{ setUnclaimed, setWithoutPlan, setHidden, setStatus, setFrom, setTo },
  }
}

const FilterBar = ({ filters, setUnclaimed, setWithoutPlan, setHidden, setStatus, setFrom, setTo }: Found) => (
  <>
    <FormControlLabel
      control={<Switch checked={filters.unclaimed} onChange={(_, checked) => setUnclaimed(checked ? 'sim' : '')} />}
      label="Só as sem conta"
    />
    <FormControlLabel
      control={<Switch checked={filters.withoutPlan} onChange={(_, checked) => setWithoutPlan(checked ? 'sim' : '')} />}
      label="Só as sem plano"
    />
    <FormControlLabel
      control={<Switch checked={filters.hidden} onChange={(_, checked) => setHidden(checked ? 'sim' : '')} />}
      label="Ocultas"
    />
    <SelectField label="Situação" value={filters.status ?? ''} onChange={setStatus} options={statusOptions} />
    <Box sx={{ display: 'flex', gap: 3 }}>
      <DayFilters from={filters.from} to={filters.to} onFrom={setFrom} onTo={setTo} />
    </Box>
  </>
)

type Found = ReturnType<typeof useFilters>

export const TransactionsTab = () => {
  const found = useFilters()
  const { filters, sorting, isFiltered, search, setSearch } = found
  const [opened, setOpened] = useState<Opened | null>(null)
  const [isErasing, setErasing] = useState(false)
  const list = useTransactionList(filters)
  const close = () => setOpened(null)
  const { actionsOf, historyAction, historyDrawer } = useTransactionActions(setOpened)

  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <TableToolbar
        search={{ label: 'Buscar por referência, comprador ou produto', search, onSearch: setSearch }}
        filters={<FilterBar {...found} />}
        csv={transactionsFile(filters)}
        action={
          <Button color="inherit" startIcon={<EraseIcon />} onClick={() => setErasing(true)}>
            Apagar comprador
          </Button>
        }
      />
      <DataTable
        label="Transações"
        columns={columns}
        list={list}
        sorting={sorting}
        onOpen={({ id, transactionId }) => historyAction({ kind: 'order', id, name: transactionId }).onPress()}
        rowKey={({ id }) => id}
        rowName={({ transactionId }) => transactionId}
        actions={actionsOf}
        empty={
          isFiltered ? (
            <EmptyState
              icon={<SearchIcon />}
              title="Nenhuma transação encontrada"
              sentence="Mude a busca ou o filtro."
            />
          ) : (
            <EmptyState icon={<ReceiptIcon />} title="Nenhuma transação encontrada" />
          )
        }
      />
      {historyDrawer}
      {isErasing && <EraseBuyerDialog onClose={() => setErasing(false)} />}
      {opened?.dialog === 'delete' && <DeleteTransactionDialog transaction={opened.transaction} onClose={close} />}
      {opened?.dialog === 'restore' && <RestoreTransactionDialog transaction={opened.transaction} onClose={close} />}
      {opened?.dialog === 'plan' && <AssignPlanDialog transaction={opened.transaction} onClose={close} />}
      {opened?.dialog === 'assign' && <AssignTransactionDialog transaction={opened.transaction} onClose={close} />}
    </Box>
  )
}
