import type { EventOf } from '@prosa/contracts/events/all-events'
import type { webhookDeliveryEvents } from '@prosa/contracts/events/billing'
import type { WebhookEndpoint } from '@prosa/contracts/values/kiwify'
import type { Decider } from '@prosa/kernel/domain/decider'
import type { KiwifyBody } from './kiwify/read-body.ts'

export type WebhookDeliveryCommand =
  | {
      type: 'ReceiveDelivery'
      data: { endpoint: WebhookEndpoint; body: string; bytes: number; expiresAt: string }
    }
  /** What the body turned out to mean, once that had its effect. */
  | { type: 'SettleDelivery'; data: { body: KiwifyBody } }
  /** `isParked`: work on it has stopped by an error, and does not go on by itself. */
  | { type: 'ReprocessDelivery'; data: { isParked: boolean } }
  /** `at` is now; too early is as good as not at all. */
  | { type: 'ExpireDelivery'; data: { at: string } }

export type WebhookDeliveryEvent = EventOf<typeof webhookDeliveryEvents>

export interface WebhookDelivery {
  expiresAt: string | null
  isSettled: boolean
  hasExpired: boolean
}

export type DeliveryRefusal = 'delivery_not_found' | 'delivery_body_gone'

const outcomeOf = (body: KiwifyBody): WebhookDeliveryEvent => {
  switch (body.state) {
    case 'order':
      return { type: 'DeliveryApplied', data: { kind: body.report.kind, orderId: body.report.orderId } }
    case 'ignored':
      return { type: 'DeliveryIgnored', data: { reason: body.reason, kind: body.kind } }
    case 'unreadable':
      return { type: 'DeliveryUnreadable', data: { field: body.field } }
  }
}

const settled = (held: WebhookDelivery): WebhookDelivery => ({ ...held, isSettled: true })

/** The same bytes from Kiwify, however often they came: what they mean is settled once. */
export const webhookDelivery: Decider<WebhookDeliveryCommand, WebhookDeliveryEvent, WebhookDelivery, DeliveryRefusal> =
  {
    initial: { expiresAt: null, isSettled: false, hasExpired: false },
    decide: {
      ReceiveDelivery: ({ expiresAt }, data) =>
        expiresAt === null
          ? [{ type: 'DeliveryReceived', data }]
          : [{ type: 'DeliveryRepeated', data: { endpoint: data.endpoint } }],
      SettleDelivery: ({ expiresAt, isSettled }, { body }) =>
        expiresAt === null || isSettled ? [] : [outcomeOf(body)],
      ReprocessDelivery: ({ expiresAt, isSettled, hasExpired }, { isParked }) => {
        if (expiresAt === null) return { rejected: 'delivery_not_found' }
        if (hasExpired) return { rejected: 'delivery_body_gone' }
        return isSettled || isParked ? [{ type: 'DeliveryReprocessed', data: {} }] : []
      },
      ExpireDelivery: ({ expiresAt, hasExpired }, { at }) =>
        expiresAt === null || hasExpired || Date.parse(at) < Date.parse(expiresAt)
          ? []
          : [{ type: 'DeliveryExpired', data: {} }],
    },
    evolve: {
      DeliveryReceived: (held, { expiresAt }) => ({ ...held, expiresAt }),
      DeliveryRepeated: (held) => held,
      DeliveryApplied: settled,
      DeliveryIgnored: settled,
      DeliveryUnreadable: settled,
      DeliveryReprocessed: (held) => ({ ...held, isSettled: false }),
      DeliveryExpired: (held) => ({ ...held, hasExpired: true }),
    },
  }
