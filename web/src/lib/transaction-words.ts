import type { Transaction } from '@prosa/contracts/http/accounts/transactions'
import type { TransactionStatus } from '@prosa/contracts/values/kiwify'
import { money } from './format.ts'
import type { StatusTone } from './status-tone.ts'

/** 9700 → 'R$ 97,00'; null → '–'. */
export const reais = (cents: number | null): string => (cents === null ? '–' : money(cents))

/** 'Profissional' → 'Plano Profissional' */
const planLabel = (name: string): string => (/^plano\b/i.test(name) ? name : `Plano ${name}`)

export const transactionLabel = ({ planName, productName }: Pick<Transaction, 'planName' | 'productName'>): string =>
  planName === null ? (productName ?? 'Transação') : planLabel(planName)

interface ShownStatus {
  label: string
  tone: StatusTone
}

export const transactionStatuses: Record<TransactionStatus, ShownStatus> = {
  approved: { label: 'Aprovado', tone: 'good' },
  declined: { label: 'Recusado', tone: 'bad' },
  pending: { label: 'Pendente', tone: 'busy' },
  refunded: { label: 'Reembolsado', tone: 'info' },
}
