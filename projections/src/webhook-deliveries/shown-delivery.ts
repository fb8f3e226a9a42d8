import { ignoredNotes, unreadableNote } from '@prosa/contracts/delivery-notes'
import { kiwifyEndpoints } from '@prosa/contracts/http/accounts/kiwify'
import type { WebhookLog, WebhookLogDetail } from '@prosa/contracts/http/accounts/webhook-logs'
import { kiwifyTriggers } from '@prosa/contracts/values/kiwify'
import type { WebhookDeliveryRow } from './table.ts'

const noteOf = ({ outcome, reason, unreadableField, errorName }: WebhookDeliveryRow): string | null => {
  switch (outcome) {
    case 'ignored':
      return reason && ignoredNotes[reason]
    case 'unreadable':
      return unreadableNote(unreadableField)
    case 'parked':
      return `O processamento parou por um erro (${errorName}). Use Reprocessar depois que a causa for corrigida.`
    case 'released':
      return 'Um administrador desistiu deste aviso depois de um erro.'
    default:
      return null
  }
}

const eventOf = ({ kind }: Pick<WebhookDeliveryRow, 'kind'>) => (kind === null ? null : kiwifyTriggers[kind])

export const shownDelivery = (row: WebhookDeliveryRow): WebhookLog => ({
  id: row.id,
  status: row.status,
  method: 'POST',
  endpoint: kiwifyEndpoints[row.endpoint].path,
  createdAt: row.receivedAt,
  lastReceivedAt: row.lastReceivedAt,
  repeated: row.repeated,
  event: eventOf(row),
  kind: row.kind,
  orderId: row.orderId,
  orderRef: row.orderRef,
  errorMessage: row.status === 'error' ? noteOf(row) : null,
  note: row.status === 'success' ? noteOf(row) : null,
  isParked: row.status === 'error' && row.outcome === 'parked',
  hasBodyExpired: row.hasExpired,
})

export const deliveryDetail = (row: WebhookDeliveryRow, body: string, isBodyErased: boolean): WebhookLogDetail => ({
  ...shownDelivery(row),
  bytes: row.bytes,
  expiresAt: row.expiresAt,
  body,
  isBodyErased,
  processedData:
    row.kind === null
      ? null
      : {
          event: eventOf(row),
          orderId: row.orderId,
          orderRef: row.orderRef,
          productName: row.productName,
          amountCents: row.amountCents === null ? null : Number(row.amountCents),
          changedOrder: row.changedOrder,
        },
  processedAt: row.processedAt,
})
