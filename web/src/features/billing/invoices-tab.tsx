import Button from '@mui/material/Button'
import type { Transaction } from '@prosa/contracts/http/accounts/transactions'
import DownloadIcon from '~icons/ic/round-download'
import ReceiptIcon from '~icons/ic/round-receipt-long'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { addressOf } from '../../lib/call.ts'
import { plainDate } from '../../lib/format.ts'
import { reais, transactionLabel, transactionStatuses } from '../../lib/transaction-words.ts'
import { useOwnTransactions } from './api.ts'

const Download = ({ transaction: { id, transactionId } }: { transaction: Transaction }) => (
  <Button
    component="a"
    href={addressOf('GET /api/kiwify/transactions/:id/invoice', { params: { id } })}
    download
    color="inherit"
    startIcon={<DownloadIcon />}
    sx={{ mx: -4 }}
    aria-label={`Baixar o PDF de ${transactionId}`}
  >
    Baixar
  </Button>
)

const columns: readonly Column<Transaction>[] = [
  { title: 'Fatura', cell: ({ transactionId }) => transactionId },
  { title: 'Data', cell: ({ createdAt }) => plainDate(createdAt) },
  { title: 'Plano', cell: (transaction) => transactionLabel(transaction) },
  { title: 'Valor', numeric: true, cell: ({ amount }) => reais(amount) },
  { title: 'Status', cell: ({ status }) => <StatusBadge {...transactionStatuses[status]} /> },
  { title: 'Ações', cell: (transaction) => <Download transaction={transaction} /> },
]

export const InvoicesTab = () => (
  <DataTable
    label="Faturas"
    columns={columns}
    list={useOwnTransactions()}
    rowKey={({ id }) => id}
    rowName={({ transactionId }) => transactionId}
    empty={<EmptyState icon={<ReceiptIcon />} title="Nenhuma transação encontrada" />}
  />
)
