import type { TransactionStatus } from '@prosa/contracts/values/kiwify'
import type { StatusTone } from '../components/status-dot.tsx'
import { money } from './format.ts'

/** 9700 → 'R$ 97,00'; '–' where no amount is known. */
export const reais = (cents: number | null): string => (cents === null ? '–' : money(cents))

const subscriptionEvents = ['compra_aprovada', 'subscription_renewed']

/** What a transaction is about, by Kiwify's name of its decisive report (specification, 4). */
export const transactionLabel = (event: string): string =>
  subscriptionEvents.includes(event) ? 'Plano Profissional' : 'Transação'

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

/** Administrators see whether the money came, went back, or neither (specification, 4). */
export const administratorStatus = (status: TransactionStatus): ShownStatus =>
  transactionStatuses[status === 'declined' ? 'pending' : status]
