import type {
  RefusedDeliveries,
  WebhookLog,
  WebhookLogStatus,
  WebhookPreviewChange,
} from '@prosa/contracts/http/accounts/webhook-logs'
import type { KiwifyEventKind, RefusalReason, TransactionStatus } from '@prosa/contracts/values/kiwify'
import { dayAndTime } from '../../../lib/format.ts'
import type { StatusTone } from '../../../lib/status-tone.ts'

export const statusWords: Record<WebhookLogStatus, { label: string; tone: StatusTone }> = {
  success: { label: 'Sucesso', tone: 'good' },
  error: { label: 'Erro', tone: 'bad' },
  processing: { label: 'Em processamento', tone: 'busy' },
}

const kindLabels: Record<KiwifyEventKind, string> = {
  order_approved: 'Compra aprovada',
  order_rejected: 'Compra recusada',
  order_refunded: 'Reembolso',
  chargeback: 'Chargeback',
  subscription_renewed: 'Renovação',
  subscription_late: 'Assinatura atrasada',
  subscription_canceled: 'Cancelamento',
  pix_created: 'Pix gerado',
  billet_created: 'Boleto gerado',
  abandoned_cart: 'Carrinho abandonado',
}

export const kindLabel = ({ kind }: Pick<WebhookLog, 'kind'>): string =>
  kind === null ? 'Aviso não identificado' : kindLabels[kind]

export const supportedEvents = [
  { label: 'Compra aprovada', event: 'compra_aprovada' },
  { label: 'Compra recusada', event: 'compra_recusada' },
  { label: 'Reembolso', event: 'compra_reembolsada' },
  { label: 'Renovação de assinatura', event: 'subscription_renewed' },
  { label: 'Cancelamento de assinatura', event: 'subscription_canceled' },
] as const

const refusedWhy: Record<RefusalReason, string> = {
  signature: 'a assinatura não confere',
  no_token: 'não há token configurado',
  too_large: 'o conteúdo é grande demais',
  unsigned: 'sem assinatura, não é da Kiwify',
}

export const refusedWords = ({ endpoint, reason }: RefusedDeliveries['sources'][number]): string =>
  `${endpoint === 'approved' ? 'Compras' : 'Reembolsos'}: ${refusedWhy[reason]}`

const orderStatus: Record<TransactionStatus, string> = {
  approved: 'Aprovada',
  declined: 'Recusada',
  pending: 'Pendente',
  refunded: 'Reembolsada',
}

export const shortId = (id: string): string => id.slice(0, 8)

const account = (id: string | null) => (id === null ? 'Nenhuma conta' : `Conta ${shortId(id)}`)
const day = (instant: string | null, nowMs: number) => (instant === null ? 'Sem acesso' : dayAndTime(instant, nowMs))

export const changeWords = (
  change: WebhookPreviewChange,
  nowMs: number,
): { what: string; before: string; after: string } => {
  switch (change.what) {
    case 'order_status':
      return {
        what: `Situação do pedido ${shortId(change.orderId)}`,
        before: change.before === null ? 'Ainda não existe' : orderStatus[change.before],
        after: orderStatus[change.after],
      }
    case 'order_owner':
      return {
        what: `De quem é o pedido ${shortId(change.orderId)}`,
        before: account(change.before),
        after: account(change.after),
      }
    case 'access_end':
      return {
        what: `Fim do acesso da conta ${shortId(change.userId)}`,
        before: day(change.before, nowMs),
        after: day(change.after, nowMs),
      }
  }
}

export const prettyBody = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
