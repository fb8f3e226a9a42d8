import { parseStream } from '@prosa/contracts/streams'
import {
  type ConsumerStatuses,
  type ReportedStatus,
  reportStatuses,
} from '@prosa/kernel/consumers/engine/consumer-status'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import { outbound, type Reach, type Resolve } from '@prosa/kernel/http/outbound/outbound'
import type { Metric } from '@prosa/kernel/observability/metric'
import type { Service } from '@prosa/product/ports'
import { webhookMigrations } from '../migrations/webhook-migrations.ts'
import { bodyFromLog, sendCall } from './call-request.ts'
import { deliverWebhooks } from './deliver-webhooks.ts'
import type { CallCounts, SendDeps } from './send-calls.ts'
import { type WebhookHandler, webhookHandler } from './webhook-handler.ts'
import { webhookRoutes } from './webhook-routes.ts'
import { webhookSecrets } from './webhook-secrets.ts'

export interface WebhookSettings extends Pick<SendDeps, 'pollMs' | 'coolMs'> {
  /** By default the public internet, over https. */
  reach?: Reach
  /** By default DNS. */
  resolve?: Resolve
  /** See `deliverWebhooks`. */
  maxWaiting?: number
}

const noCounts = (): CallCounts => ({ waiting: new Map(), delivered: 0, failed: 0, retried: 0 })

/** Of the process that sends. */
const webhookMetrics = ([status]: readonly ReportedStatus[], counts: CallCounts): Metric[] => {
  if (!status || status.state === 'waiting') return []
  const of = (name: Metric['name'], kind: Metric['kind'], help: string, value: number, labels = {}): Metric => ({
    ...{ name, kind, help, value, labels },
  })
  const waiting = [...counts.waiting.values()].reduce((sum, each) => sum + each, 0)
  const ended = 'Webhook calls by outcome; retried: attempts that another one follows.'
  const { delivered, failed, retried } = counts
  return [
    of('prosa_webhooks_interrupted', 'gauge', '1 while no call can be queued.', Number(status.state === 'interrupted')),
    ...(status.lagSeconds === undefined
      ? []
      : [of('prosa_webhooks_lag_seconds', 'gauge', 'How long the calls have not had every event.', status.lagSeconds)]),
    of('prosa_webhook_calls_waiting', 'gauge', 'Calls that wait for their first or next attempt.', waiting),
    ...Object.entries({ delivered, failed, retried }).map(([outcome, value]) =>
      of('prosa_webhook_calls_total', 'counter', ended, value, { outcome }),
    ),
  ]
}

const reactorName = 'remove-webhooks-on-user-erased'

/** Their calls go with them; the key of their secrets is destroyed by identity. */
const removeWebhooksOnUserErased = (handle: WebhookHandler): Reactor => ({
  name: reactorName,
  categories: ['user'],
  key: ({ stream }) => stream,
  on: {
    async UserErased(event) {
      const tenant = parseStream(event.stream).id
      await handle(tenant, { type: 'RemoveAllWebhooks', data: {} }, { ...contextFor(reactorName, event), tenant })
    },
  },
})

/** Sends published events to the addresses of subscribers (docs/decisions/0077-webhooks.md). */
export const webhooksAt = ({ reach = 'public', resolve, ...settings }: WebhookSettings = {}): Service => ({
  name: 'webhooks',
  partOf: 'streams',
  migrations: webhookMigrations,
  async mount(ports) {
    const handle = webhookHandler(ports)
    const secrets = webhookSecrets(ports.subjectKeys)
    const statuses: ConsumerStatuses = new Map()
    const counts = noCounts()
    const send = sendCall({ bodyOf: bodyFromLog(ports), send: outbound({ reach, resolve }), secrets })
    return {
      routes: webhookRoutes({ ...ports, handle, secrets, reach }),
      reactors: [removeWebhooksOnUserErased(handle)],
      metrics: () => webhookMetrics(reportStatuses(statuses, ports.clock), counts),
      health: () =>
        Object.fromEntries(
          [...statuses].flatMap(([name, { state, trouble, position }]) =>
            trouble ? [[name, { state, ...trouble, position }]] : [],
          ),
        ),
      run: (signal) => deliverWebhooks({ ...ports, ...settings, handle, send, counts }, signal, statuses),
    }
  },
})
