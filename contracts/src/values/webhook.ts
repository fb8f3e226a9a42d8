import { z } from 'zod'

/** Per tenant. */
export const maximumWebhooks = 5
export const maximumWebhookAddressLength = 2000
export const maximumWebhookTypes = 200

/** `failing`: no answer was good for a day. `gone`: it answered 410. `backlog`: more waits than is kept. */
const webhookDisabledCauses = ['failing', 'gone', 'backlog'] as const
export const webhookDisabledCause = z.enum(webhookDisabledCauses)
export type WebhookDisabledCause = z.infer<typeof webhookDisabledCause>

export const webhookStatuses = ['active', 'paused', 'disabled'] as const
export type WebhookStatus = (typeof webhookStatuses)[number]

/** Of a test, in place of a published type. */
export const webhookTestType = 'prosa.webhooks.test.v1'

/** What happened to a call, in its last attempt. */
const webhookCallStatuses = ['waiting', 'delivered', 'failed'] as const
export const webhookCallStatus = z.enum(webhookCallStatuses)
export type WebhookCallStatus = z.infer<typeof webhookCallStatus>

/** Why an attempt failed. `status`: an answer other than 2xx. `disabled`: the webhook was, before its turn. */
const webhookFailures = [
  'status',
  'redirect',
  'timeout',
  'unknown_host',
  'not_allowed',
  'refused',
  'tls',
  'broken',
  'unreadable',
  'disabled',
] as const
export const webhookFailure = z.enum(webhookFailures)
export type WebhookFailure = z.infer<typeof webhookFailure>
