import { expectedReasons } from '@prosa/contracts/delivery-notes'
import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import { type WebhookDeliveryRow, webhookDeliveryTable } from './table.ts'

const key = ({ stream }: { stream: string }) => parseStream(stream).id

/** No row has the empty key. */
const parkedKey = ({ data: { stream } }: { data: { stream?: string | undefined } }) => {
  const { category, id } = parseStream(stream ?? '')
  return category === 'webhookDelivery' ? id : ''
}

/** Other parked work is not about deliveries. */
const applyWorker = 'reactor apply-on-delivery-received'

type Settled = Pick<WebhookDeliveryRow, 'outcome' | 'status'> & Partial<WebhookDeliveryRow>

const settled = (row: WebhookDeliveryRow, processedAt: string, outcome: Settled): WebhookDeliveryRow => ({
  ...row,
  reason: null,
  unreadableField: null,
  errorName: null,
  processedAt,
  ...outcome,
})

/** Bytes stay in the log. */
export const webhookDeliveries: Projection<WebhookDeliveryRow> = {
  name: 'webhook-deliveries',
  version: 2,
  categories: ['webhookDelivery', 'order', 'parkedWork'],
  table: webhookDeliveryTable,
  on: {
    DeliveryReceived: {
      key,
      row: (_, { stream, position, data: { endpoint, bytes, expiresAt }, metadata: { recordedAt } }) => ({
        id: parseStream(stream).id,
        place: position,
        status: 'processing',
        endpoint,
        receivedAt: recordedAt,
        lastReceivedAt: recordedAt,
        repeated: 0,
        bytes,
        expiresAt,
        hasExpired: false,
        outcome: null,
        reason: null,
        unreadableField: null,
        errorName: null,
        processedAt: null,
        kind: null,
        orderId: null,
        orderRef: null,
        productName: null,
        amountCents: null,
        changedOrder: false,
      }),
    },
    DeliveryRepeated: {
      key,
      row: (row, { metadata }) => row && { ...row, repeated: row.repeated + 1, lastReceivedAt: metadata.recordedAt },
    },
    DeliveryReprocessed: { key, row: (row) => row && { ...row, status: 'processing' } },
    DeliveryApplied: {
      key,
      row: (row, { data: { kind, orderId }, metadata }) =>
        row && settled(row, metadata.recordedAt, { outcome: 'applied', status: 'success', kind, orderId }),
    },
    DeliveryIgnored: {
      key,
      row: (row, { data: { reason, kind }, metadata }) => {
        const status = expectedReasons.includes(reason) ? 'success' : 'error'
        return row && settled(row, metadata.recordedAt, { outcome: 'ignored', status, reason, kind: kind ?? row.kind })
      },
    },
    DeliveryUnreadable: {
      key,
      row: (row, { data: { field }, metadata }) =>
        row && settled(row, metadata.recordedAt, { outcome: 'unreadable', status: 'error', unreadableField: field }),
    },
    DeliveryExpired: { key, row: (row) => row && { ...row, hasExpired: true } },
    /** Only the delivery with something new. */
    OrderReported: {
      key: ({ data }) => data.deliveryId,
      row: (row, { data: { orderRef, productName, amountCents } }) =>
        row && {
          ...row,
          orderRef,
          productName,
          amountCents: amountCents === null ? null : String(amountCents),
          changedOrder: true,
        },
    },
    WorkParked: {
      key: parkedKey,
      row: (row, { data: { worker, errorName }, metadata }) =>
        row && worker === applyWorker
          ? settled(row, metadata.recordedAt, { outcome: 'parked', status: 'error', errorName })
          : row,
    },
    WorkRetried: {
      key: parkedKey,
      row: (row) => (row?.outcome === 'parked' ? { ...row, status: 'processing' } : row),
    },
    WorkReleased: {
      key: parkedKey,
      row: (row, { metadata }) =>
        row?.outcome === 'parked' ? settled(row, metadata.recordedAt, { outcome: 'released', status: 'error' }) : row,
    },
  },
}
