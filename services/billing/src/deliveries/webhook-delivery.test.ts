import { specify } from '@prosa/kernel/domain/specify'
import { it } from 'vitest'
import { type WebhookDeliveryEvent, webhookDelivery } from './webhook-delivery.ts'

const given = specify(webhookDelivery)
const received: WebhookDeliveryEvent = {
  type: 'DeliveryReceived',
  data: { endpoint: 'approved', body: '', bytes: 0, expiresAt: '2026-12-01T12:00:00.000Z' },
}
const unreadable: WebhookDeliveryEvent = { type: 'DeliveryUnreadable', data: { field: null } }
const reprocessed: WebhookDeliveryEvent = { type: 'DeliveryReprocessed', data: {} }
const expired: WebhookDeliveryEvent = { type: 'DeliveryExpired', data: {} }
const reprocess = (isParked = false) => ({ type: 'ReprocessDelivery', data: { isParked } }) as const

it('is reprocessed once it was settled', () => given(received, unreadable).when(reprocess()).then(reprocessed))
it('is settled anew after that', () =>
  given(received, unreadable, reprocessed)
    .when({ type: 'SettleDelivery', data: { body: { state: 'unreadable', field: null, emails: [] } } })
    .then(unreadable))
it('is not reprocessed while it is being worked on, however often the button is pressed', () => {
  given(received).when(reprocess()).thenNothing()
  given(received, unreadable, reprocessed).when(reprocess()).thenNothing()
})
it('is reprocessed where an error stopped the work on it', () =>
  given(received).when(reprocess(true)).then(reprocessed))
it('cannot be reprocessed where it never came, or its bytes are gone', () => {
  given().when(reprocess()).thenRejected('delivery_not_found')
  given(received, unreadable, expired).when(reprocess()).thenRejected('delivery_body_gone')
})
