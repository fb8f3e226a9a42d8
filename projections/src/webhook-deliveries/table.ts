import type { IgnoredReason } from '@prosa/contracts/delivery-notes'
import type { KiwifyEventKind, WebhookEndpoint } from '@prosa/contracts/values/kiwify'
import type { Table } from '@prosa/kernel/consumers/projections/table'

/** `parked`: stopped by an error; `released`: skipped by an administrator. */
export type DeliveryOutcome = 'applied' | 'ignored' | 'unreadable' | 'parked' | 'released'

export interface WebhookDeliveryRow {
  id: string
  /** Log position: the order. */
  place: string
  status: 'success' | 'error' | 'processing'
  endpoint: WebhookEndpoint
  receivedAt: string
  lastReceivedAt: string
  repeated: number
  bytes: number
  expiresAt: string
  hasExpired: boolean
  /** Null until processed. */
  outcome: DeliveryOutcome | null
  reason: IgnoredReason | null
  unreadableField: string | null
  errorName: string | null
  processedAt: string | null
  kind: KiwifyEventKind | null
  orderId: string | null
  orderRef: string | null
  productName: string | null
  /** Text: up to 2^53, which the driver does not return as a number. */
  amountCents: string | null
  changedOrder: boolean
}

export const webhookDeliveryTable: Table<WebhookDeliveryRow> = {
  name: 'webhook_delivery',
  key: 'id',
  columns: {
    id: 'text collate "C"',
    place: 'text collate "C" not null',
    status: 'text collate "C" not null',
    endpoint: 'text not null',
    receivedAt: 'text not null',
    lastReceivedAt: 'text not null',
    repeated: 'int not null',
    bytes: 'int not null',
    expiresAt: 'text not null',
    hasExpired: 'boolean not null',
    outcome: 'text',
    reason: 'text',
    unreadableField: 'text',
    errorName: 'text',
    processedAt: 'text',
    kind: 'text',
    orderId: 'text collate "C"',
    orderRef: 'text collate "C"',
    productName: 'text',
    amountCents: 'text',
    changedOrder: 'boolean not null',
  },
  after: [
    'create index webhook_delivery_place on webhook_delivery (place desc)',
    'create index webhook_delivery_status on webhook_delivery (status, place desc)',
    'create index webhook_delivery_last on webhook_delivery (endpoint, last_received_at desc)',
    'create index webhook_delivery_order on webhook_delivery (order_id, place desc) where order_id is not null',
    'create index webhook_delivery_ref on webhook_delivery (lower(order_ref) collate "C", place desc) where order_ref is not null',
  ],
}
