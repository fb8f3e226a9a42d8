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
import SearchIcon from '~icons/ic/round-search'
import PlanIcon from '~icons/ic/round-sell'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { type Column, DataTable } from '../../../components/tables/data-table.tsx'
import type { RowAction } from '../../../components/tables/row-menu.tsx'
import { TableToolbar } from '../../../components/tables/table-toolbar.tsx'
import { plainDate } from '../../../lib/format/format.ts'
import { reais, transactionLabel, transactionStatuses } from '../../../lib/format/transaction-words.ts'
import { useAddressFilter } from '../../../lib/forms/use-address-filter.ts'
import { addressOf } from '../../../lib/http/call.ts'
import { useDownload } from '../../../lib/http/use-download.ts'
import { useHistoryDrawer } from '../history/use-history-drawer.tsx'
import { queryOf, useTransactionList } from './api.ts'
import { AssignPlanDialog } from './assign-plan-dialog.tsx'
import { EraseBuyerDialog } from './erase-buyer-dialog.tsx'
import { AssignTransactionDialog, DeleteTransactionDialog } from './transaction-dialogs.tsx'

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

const accountOf = ({ owner }: AdminTransaction) => {
  if (!owner) return <Two first="Sem conta" second={null} />
  return <Two first={owner.name ?? '[apagado]'} second={owner.email} />
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

const statusOf = ({ status, isErasedBuyerCharged }: AdminTransaction) => (
  <Box component="span" sx={{ display: 'block', minWidth: 0 }}>
    <StatusBadge {...transactionStatuses[status]} />
    {isErasedBuyerCharged && (
      <Typography component="span" variant="caption" sx={{ display: 'block', color: 'danger' }}>
        Cobrança de quem foi apagado
      </Typography>
    )}
  </Box>
)

const columns: readonly Column<AdminTransaction>[] = [
  { title: 'Transação', cell: referenceOf },
  { title: 'Data', numeric: true, cell: ({ createdAt }) => plainDate(createdAt) },
  { title: 'Plano', cell: planOf },
  {
    title: 'Comprador',
    secondary: true,
    // Both hold the same word once the buyer is erased.
    cell: ({ buyerName, buyerEmail }) => (
      <Two first={buyerName ?? '–'} second={buyerEmail === buyerName ? null : buyerEmail} />
    ),
  },
  { title: 'Conta', cell: accountOf },
  { title: 'Valor', numeric: true, cell: ({ amount }) => reais(amount) },
  { title: 'Status', cell: statusOf },
]

interface Opened {
  dialog: 'delete' | 'assign' | 'plan'
  transaction: AdminTransaction
}

const useTransactionActions = (open: (opened: Opened) => void) => {
  const { historyAction, historyDrawer } = useHistoryDrawer()
  const download = useDownload()
  const actionsOf = (transaction: AdminTransaction): RowAction[] => [
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
  return { actionsOf, historyDrawer }
}

export const TransactionsTab = () => {
  const [search, setSearch] = useAddressFilter('busca')
  const [unclaimedText, setUnclaimed] = useAddressFilter('sem-conta')
  const [withoutPlanText, setWithoutPlan] = useAddressFilter('sem-plano')
  const [opened, setOpened] = useState<Opened | null>(null)
  const [isErasing, setErasing] = useState(false)
  const unclaimed = unclaimedText !== ''
  const filters = { search, unclaimed, withoutPlan: withoutPlanText !== '' }
  const list = useTransactionList(filters)
  const close = () => setOpened(null)
  const { actionsOf, historyDrawer } = useTransactionActions(setOpened)

  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <TableToolbar
        search={{ label: 'Buscar por referência, comprador ou produto', search, onSearch: setSearch }}
        filters={
          <>
            <FormControlLabel
              control={<Switch checked={unclaimed} onChange={(_, checked) => setUnclaimed(checked ? 'sim' : '')} />}
              label="Só as sem conta"
            />
            <FormControlLabel
              control={
                <Switch checked={filters.withoutPlan} onChange={(_, checked) => setWithoutPlan(checked ? 'sim' : '')} />
              }
              label="Só as sem plano"
            />
          </>
        }
        csv={addressOf('GET /api/admin/transactions.csv', { query: queryOf(filters) })}
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
        rowKey={({ id }) => id}
        rowName={({ transactionId }) => transactionId}
        actions={actionsOf}
        empty={
          search || unclaimed || filters.withoutPlan ? (
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
      {opened?.dialog === 'plan' && <AssignPlanDialog transaction={opened.transaction} onClose={close} />}
      {opened?.dialog === 'assign' && <AssignTransactionDialog transaction={opened.transaction} onClose={close} />}
    </Box>
  )
}
