import Box from '@mui/material/Box'
import FormControlLabel from '@mui/material/FormControlLabel'
import Switch from '@mui/material/Switch'
import Typography from '@mui/material/Typography'
import type { AdminTransaction } from '@prosa/contracts/http/transactions'
import { useState } from 'react'
import DeleteIcon from '~icons/ic/round-delete-outline'
import DownloadIcon from '~icons/ic/round-download'
import AssignIcon from '~icons/ic/round-person-add'
import ReceiptIcon from '~icons/ic/round-receipt-long'
import SearchIcon from '~icons/ic/round-search'
import { type Column, DataTable } from '../../../components/data-table.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import type { RowAction } from '../../../components/row-menu.tsx'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { TableToolbar } from '../../../components/table-toolbar.tsx'
import { addressOf } from '../../../lib/call.ts'
import { plainDate } from '../../../lib/format.ts'
import { administratorStatus, reais, transactionLabel } from '../../../lib/transaction-words.ts'
import { useAddressFilter } from '../../../lib/use-address-filter.ts'
import { useDownload } from '../../../lib/use-download.ts'
import { useHistoryDrawer } from '../history/use-history-drawer.tsx'
import { useTransactionList } from './api.ts'
import { AssignTransactionDialog, DeleteTransactionDialog } from './transaction-dialogs.tsx'

const Two = ({ first, second }: { first: string; second: string | null }) => (
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

const columns: readonly Column<AdminTransaction>[] = [
  {
    title: 'Transação',
    cell: ({ transactionId, event }) => <Two first={transactionId} second={transactionLabel(event)} />,
  },
  { title: 'Data', numeric: true, cell: ({ createdAt }) => plainDate(createdAt) },
  { title: 'Produto', secondary: true, cell: ({ productName }) => productName ?? '–' },
  {
    title: 'Comprador',
    secondary: true,
    cell: ({ buyerName, buyerEmail }) => <Two first={buyerName ?? '–'} second={buyerEmail} />,
  },
  { title: 'Conta', cell: accountOf },
  { title: 'Valor', numeric: true, cell: ({ amount }) => reais(amount) },
  { title: 'Status', cell: ({ status }) => <StatusBadge {...administratorStatus(status)} /> },
]

interface Opened {
  dialog: 'delete' | 'assign'
  transaction: AdminTransaction
}

/** Every charge that Kiwify reported, whose it is, and what an administrator may do about it. */
export const TransactionsTab = () => {
  const [search, setSearch] = useAddressFilter('busca')
  const [unclaimedText, setUnclaimed] = useAddressFilter('sem-conta')
  const [opened, setOpened] = useState<Opened | null>(null)
  const unclaimed = unclaimedText !== ''
  const list = useTransactionList({ search, unclaimed })
  const close = () => setOpened(null)
  const { historyAction, historyDrawer } = useHistoryDrawer()
  const download = useDownload()

  const actionsOf = (transaction: AdminTransaction): RowAction[] => [
    {
      label: transaction.owner ? 'Passar a outra conta' : 'Entregar a uma conta',
      icon: <AssignIcon />,
      onPress: () => setOpened({ dialog: 'assign', transaction }),
    },
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
      onPress: () => setOpened({ dialog: 'delete', transaction }),
    },
  ]

  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <TableToolbar
        search={{ label: 'Buscar por referência, comprador ou produto', search, onSearch: setSearch }}
        filters={
          <FormControlLabel
            control={<Switch checked={unclaimed} onChange={(_, checked) => setUnclaimed(checked ? 'sim' : '')} />}
            label="Só as sem conta"
          />
        }
        csv={addressOf('GET /api/admin/transactions.csv', {
          query: { search: search || undefined, unclaimed: unclaimed ? 'true' : undefined },
        })}
      />
      <DataTable
        label="Transações"
        columns={columns}
        list={list}
        rowKey={({ id }) => id}
        rowName={({ transactionId }) => transactionId}
        actions={actionsOf}
        empty={
          search || unclaimed ? (
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
      {opened?.dialog === 'delete' && <DeleteTransactionDialog transaction={opened.transaction} onClose={close} />}
      {opened?.dialog === 'assign' && <AssignTransactionDialog transaction={opened.transaction} onClose={close} />}
    </Box>
  )
}
