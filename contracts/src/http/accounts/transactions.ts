import { z } from 'zod'
import { id, userId } from '../../values/ids.ts'
import { instant } from '../../values/instant.ts'
import { transactionStatus } from '../../values/kiwify.ts'
import { amountCents } from '../../values/money.ts'
import { cursor } from '../cursor.ts'
import { endpoint } from '../endpoint.ts'
import { notKnownYet } from '../not-known-yet.ts'
import { areInOrder, days, pageOf, pageQuery, searchedBody, sorting, withoutSearch, wrongDays } from '../page.ts'
import { reason } from '../reason.ts'

export const transaction = z.object({
  /** Kiwify's order id. */
  id: z.string(),
  /** Shown to the buyer; the id without a reference. */
  transactionId: z.string(),
  createdAt: instant,
  /** Decisive report in Kiwify's panel: `compra_aprovada`, `subscription_renewed`, … */
  event: z.string(),
  amount: amountCents.nullable(),
  productName: z.string().nullable(),
  /** When reported; null without a plan. */
  planName: notKnownYet(z.string()),
  status: transactionStatus,
  paymentMethod: z.string().nullable(),
})

export const adminTransaction = transaction.extend({
  /** Null: unclaimed. Fields are null after erasure. */
  owner: z.object({ id: userId, name: z.string().nullable(), email: z.string().nullable() }).nullable(),
  /** No plan, so no access. */
  lacksPlan: z.boolean(),
  buyerName: z.string().nullable(),
  buyerEmail: z.string().nullable(),
  /** End or refund it at Kiwify. */
  isErasedBuyerCharged: z.boolean(),
  /** Out of lists and sums. */
  isHidden: z.boolean(),
})

export const transactionSorts = ['date', 'amount'] as const

/** Names the account. Null: show the plans. */
const upgrade = z.object({ url: z.string().nullable() })

const adminTransactionsShape = pageQuery.extend({
  unclaimed: z.enum(['true', 'false'], { error: 'Escolha todas ou sem conta.' }).optional(),
  withoutPlan: z.enum(['true', 'false'], { error: 'Escolha todas ou sem plano.' }).optional(),
  status: z.enum(transactionStatus.options, { error: 'Escolha uma situação da lista.' }).optional(),
  /** Only what was taken out of the lists. */
  hidden: z.enum(['true', 'false'], { error: 'Escolha as listadas ou as ocultas.' }).optional(),
  ...days,
  ...sorting(transactionSorts),
})
const adminTransactionsQuery = adminTransactionsShape.extend(withoutSearch).refine(areInOrder, wrongDays)

const restoreTransactionBody = z.strictObject(
  { reason },
  { error: ({ code }) => (code === 'unrecognized_keys' ? 'Há campos que não podem ser enviados aqui.' : undefined) },
)
const transactionRestored = z.object({ id: z.string() })

const deleteTransactionBody = z.object({ reason: reason.optional() }).nullish()

const transactionDeleted = z.object({ id: z.string() })
const transactionAssigned = z.object({ id: z.string(), userId })

const planAssigned = z.object({ id: z.string(), planId: id })
const assignPlanBody = z.strictObject(
  { planId: id, reason },
  { error: ({ code }) => (code === 'unrecognized_keys' ? 'Há campos que não podem ser enviados aqui.' : undefined) },
)

const nameAccount = 'Informe a conta: o e-mail ou a identificação.'
const assignTransactionBody = z
  .strictObject(
    {
      userId: userId.optional(),
      email: z
        .string()
        .trim()
        .toLowerCase()
        .max(254, 'Este e-mail é longo demais.')
        .pipe(z.email('Informe um e-mail válido.'))
        .optional(),
      reason: reason.optional(),
    },
    {
      error: ({ code }) => (code === 'unrecognized_keys' ? 'Há campos que não podem ser enviados aqui.' : undefined),
    },
  )
  .refine((body) => (body.userId === undefined) !== (body.email === undefined), { error: nameAccount, path: ['email'] })

export const transactionEndpoints = {
  /** Newest first; 50 a page. */
  own: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/kiwify/transactions',
    area: 'Cobrança',
    summary: 'As transações da conta, da mais nova à mais antiga.',
    query: z.object({ cursor: cursor.optional() }),
    replies: { 200: z.array(transaction) },
  }),
  invoice: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/kiwify/transactions/:id/invoice',
    area: 'Cobrança',
    file: 'reply',
    summary: 'O recibo de uma transação da conta, em PDF.',
    replies: {},
  }),
  upgrade: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/kiwify/upgrade',
    area: 'Cobrança',
    summary: 'Onde a conta passa a um plano pago.',
    replies: { 200: upgrade },
  }),
  all: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/admin/transactions',
    area: 'Administração',
    role: 'admin',
    reads: { what: 'transactions', of: 'all' },
    summary: 'As transações de todos, ou só as que esperam por uma conta ou por um plano.',
    query: adminTransactionsQuery,
    replies: { 200: pageOf(adminTransaction) },
  }),
  file: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/admin/transactions.csv',
    area: 'Administração',
    role: 'admin',
    reads: { what: 'transactions_file', of: 'all' },
    file: 'reply',
    summary: 'As transações como CSV, com os mesmos filtros.',
    query: adminTransactionsShape.omit({ cursor: true }).extend(withoutSearch).refine(areInOrder, wrongDays),
    replies: {},
  }),
  /** Not a GET: buyers are in no URL. */
  found: endpoint({
    service: 'projections',
    method: 'POST',
    path: '/api/admin/transactions/search',
    area: 'Administração',
    role: 'admin',
    reads: { what: 'transactions', of: 'all' },
    changesNothing: true,
    summary: 'As transações de todos, por referência, comprador e produto.',
    body: searchedBody(adminTransactionsShape).refine(areInOrder, wrongDays),
    replies: { 200: pageOf(adminTransaction) },
  }),
  foundFile: endpoint({
    service: 'projections',
    method: 'POST',
    path: '/api/admin/transactions.csv',
    area: 'Administração',
    role: 'admin',
    reads: { what: 'transactions_file', of: 'all' },
    changesNothing: true,
    file: 'reply',
    summary: 'As transações encontradas como CSV, com os mesmos filtros.',
    body: searchedBody(adminTransactionsShape.omit({ cursor: true })).refine(areInOrder, wrongDays),
    replies: {},
  }),
  adminInvoice: endpoint({
    service: 'projections',
    method: 'GET',
    path: '/api/admin/transactions/:id/invoice',
    area: 'Administração',
    role: 'admin',
    reads: { what: 'receipt', of: 'named' },
    file: 'reply',
    summary: 'O recibo de uma transação, em PDF.',
    replies: {},
  }),
  /** Hides it; access stays. */
  remove: endpoint({
    service: 'billing',
    method: 'DELETE',
    path: '/api/admin/transactions/:id',
    area: 'Administração',
    role: 'admin',
    reads: 'nothing',
    summary: 'Tira uma transação das listas e da receita. O acesso do cliente não muda.',
    body: deleteTransactionBody,
    replies: { 200: transactionDeleted },
  }),
  /** Back into lists and revenue. */
  restore: endpoint({
    service: 'billing',
    method: 'POST',
    path: '/api/admin/transactions/:id/restore',
    area: 'Administração',
    role: 'admin',
    reads: 'nothing',
    summary: 'Põe de volta nas listas e na receita uma transação que foi retirada.',
    body: restoreTransactionBody,
    replies: { 200: transactionRestored },
  }),
  assign: endpoint({
    service: 'billing',
    method: 'POST',
    path: '/api/admin/transactions/:id/assign',
    area: 'Administração',
    role: 'admin',
    reads: 'nothing',
    summary:
      'Entrega uma compra a uma conta; a que já é de outra passa a esta, com o motivo, e as renovações a seguem.',
    body: assignTransactionBody,
    replies: { 200: transactionAssigned },
  }),
  /** For all orders of its subscription. */
  assignPlan: endpoint({
    service: 'billing',
    method: 'POST',
    path: '/api/admin/transactions/:id/plan',
    area: 'Administração',
    role: 'admin',
    reads: 'nothing',
    summary: 'Decide de qual plano é uma compra cujo produto nenhum plano tem; as outras da mesma assinatura a seguem.',
    body: assignPlanBody,
    replies: { 200: planAssigned },
  }),
}

export type Transaction = z.infer<typeof transaction>
export type TransactionSort = (typeof transactionSorts)[number]
export type AdminTransaction = z.infer<typeof adminTransaction>
