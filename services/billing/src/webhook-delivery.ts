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
  /** Recorded after the body took effect. */
  | { type: 'SettleDelivery'; data: { body: KiwifyBody } }
  /** `isParked`: an error stopped its work, which does not retry. */
  | { type: 'ReprocessDelivery'; data: { isParked: boolean } }
  /** `at` is now; ignored if too early. */
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

const settled = (state: WebhookDelivery): WebhookDelivery => ({ ...state, isSettled: true })

/** Identical bytes from Kiwify, settled once. */
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
      DeliveryReceived: (state, { expiresAt }) => ({ ...state, expiresAt }),
      DeliveryRepeated: (state) => state,
      DeliveryApplied: settled,
      DeliveryIgnored: settled,
      DeliveryUnreadable: settled,
      DeliveryReprocessed: (state) => ({ ...state, isSettled: false }),
      DeliveryExpired: (state) => ({ ...state, hasExpired: true }),
    },
  }
