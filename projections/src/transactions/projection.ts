import { parseStream } from '@prosa/contracts/streams'
import { kiwifyTriggers, type OrderEventKind, transactionStatusOf } from '@prosa/contracts/values/kiwify'
import { erasedText } from '@prosa/contracts/values/personal'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import { plain } from '../search-text.ts'
import { indexedText } from '../word-index.ts'
import { type Report, type TransactionRow, transactionTable } from './table.ts'

const key = ({ stream }: { stream: string }) => parseStream(stream).id

/** Names the transaction. */
const decisive: readonly OrderEventKind[] = [
  'chargeback',
  'order_refunded',
  'subscription_renewed',
  'order_approved',
  'subscription_late',
  'order_rejected',
  'subscription_canceled',
  'billet_created',
  'pix_created',
]

/** For amount, product and buyer: the payment first. */
const reliable: readonly OrderEventKind[] = ['order_approved', 'subscription_renewed', ...decisive]

const identityOf = (report: Report): string => {
  const { kind, occurredAt, orderRef, amountCents, productName, paymentMethod, buyerName, buyerEmail } = report
  const { productId, planName, isWithoutPlan } = report
  const money = [orderRef, amountCents, productName, paymentMethod]
  return JSON.stringify([occurredAt, kind, ...money, productId, planName, isWithoutPlan, buyerName, buyerEmail])
}

/** Distinct, most reliable first, then earliest. */
const inOrder = (reports: readonly Report[]): Report[] => {
  const each = new Map(reports.map((report) => [identityOf(report), report]))
  return [...each]
    .sort(
      ([oneId, one], [otherId, other]) =>
        reliable.indexOf(one.kind) - reliable.indexOf(other.kind) || (oneId < otherId ? -1 : 1),
    )
    .map(([, report]) => report)
}

type Flags = Pick<TransactionRow, 'id' | 'tenant' | 'isBuyerErased' | 'isHidden' | 'assigned' | 'isErasedBuyerCharged'>

const rowOf = (flags: Flags, unordered: readonly Report[]): TransactionRow => {
  const { id, tenant, isBuyerErased, isHidden, assigned, isErasedBuyerCharged } = flags
  const reports = inOrder(unordered)
  const isPlanKnown = assigned !== null || reports.some(({ isWithoutPlan }) => !isWithoutPlan)
  const stated = <F extends keyof Report>(field: F) => reports.find((report) => report[field] !== null)?.[field] ?? null
  const kinds = reports.map(({ kind }) => kind)
  const [event = 'pix_created'] = decisive.filter((kind) => kinds.includes(kind))
  const [createdAt = ''] = reports.map(({ occurredAt }) => occurredAt).sort()
  const transactionId = stated('orderRef') ?? id
  const [productName, buyerName, buyerEmail] = [stated('productName'), stated('buyerName'), stated('buyerEmail')]
  return {
    id,
    tenant,
    transactionId,
    createdAt,
    event: kiwifyTriggers[event],
    amountCents: stated('amountCents'),
    productName,
    productId: assigned ? assigned.productId : stated('productId'),
    planName: assigned ? assigned.planName : stated('planName'),
    lacksPlan: !isPlanKnown,
    assigned,
    status: transactionStatusOf(kinds),
    paymentMethod: stated('paymentMethod'),
    buyerName: isBuyerErased ? erasedText : buyerName,
    buyerEmail: isBuyerErased ? erasedText : buyerEmail,
    isBuyerErased,
    isHidden,
    isErasedBuyerCharged,
    search: [transactionId, id, productName, buyerName, buyerEmail]
      .flatMap((text) => (text ? [plain(text)] : []))
      .join('\n'),
    words: indexedText([transactionId, productName, ...(isBuyerErased ? [] : [buyerName, buyerEmail])]),
    reports,
  }
}

const withoutBuyer = (report: Report): Report => ({ ...report, buyerName: null, buyerEmail: null })

const reportOf = ({ data }: StoredOf<'OrderReported'>): Report => {
  const { kind, orderRef, amountCents, productId, productName, paymentMethod, buyerName, buyerEmail } = data
  const { planName = null, isWithoutPlan = false } = data
  const occurredAt = new Date(data.occurredAt).toISOString()
  const sold = { productId, productName, planName, isWithoutPlan }
  return { kind, occurredAt, orderRef, amountCents, ...sold, paymentMethod, buyerName, buyerEmail }
}

/** A function of the set of reports, in any order. */
export const transactions: Projection<TransactionRow> = {
  name: 'transactions',
  version: 3,
  categories: ['order'],
  table: transactionTable,
  on: {
    OrderReported: {
      key,
      row: (row, event) => {
        const none = {
          tenant: null,
          isBuyerErased: false,
          isHidden: false,
          assigned: null,
          isErasedBuyerCharged: false,
        }
        const flags = row ?? { ...none, id: key(event) }
        const report = flags.isBuyerErased ? withoutBuyer(reportOf(event)) : reportOf(event)
        return rowOf(flags, [...(row?.reports ?? []), report])
      },
    },
    OrderAssigned: { key, row: (row, { data: { userId } }) => row && { ...row, tenant: userId } },
    OrderPlanAssigned: {
      key,
      row: (row, { data: { planName, productId } }) =>
        row && rowOf({ ...row, assigned: { planName, productId } }, row.reports),
    },
    ErasedBuyerCharged: { key, row: (row) => row && { ...row, isErasedBuyerCharged: true } },
    OrderHidden: { key, row: (row) => row && { ...row, isHidden: true } },
    OrderShown: { key, row: (row) => row && { ...row, isHidden: false } },
    OrderBuyerErased: {
      key,
      row: (row) => row && rowOf({ ...row, isBuyerErased: true }, row.reports.map(withoutBuyer)),
    },
  },
}
