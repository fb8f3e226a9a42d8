import { type CommandHandler, commandHandler } from '@prosa/kernel/domain/command-handler'
import type { Ports } from '@prosa/kernel/ports'
import { type WebhookCommand, type WebhookEvent, type WebhookRefusal, type Webhooks, webhooks } from './webhook.ts'

export type WebhookHandler = CommandHandler<WebhookCommand, WebhookEvent, Webhooks, WebhookRefusal>

/** By tenant. */
export const webhookHandler = ({ store, codec, clock }: Pick<Ports, 'store' | 'codec' | 'clock'>): WebhookHandler =>
  commandHandler({
    ...{ store, codec, clock, service: 'streams', category: 'webhook' },
    ...{ decider: webhooks, foreign: 'webhook_not_found' },
  })
