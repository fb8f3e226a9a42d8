import { outbound, type Reach, type Resolve } from '@prosa/kernel/http/outbound/outbound'
import type { Metric } from '@prosa/kernel/observability/metric'
import type { Mounted } from '@prosa/kernel/ports'
import type { Ports } from '@prosa/product/ports'
import type { FlowHandlers } from '../../flow-handlers.ts'
import { encryptedSecrets } from '../../secrets/encrypted-secrets.ts'
import type { FlowRunHandlers } from '../run-handlers.ts'
import { requestRoutes } from './request-routes.ts'
import { type SendRequestsDeps, sendRequests } from './send-requests.ts'

export interface RequestSettings extends Pick<SendRequestsDeps, 'pauses' | 'timeoutMs' | 'pollMs'> {
  /** By default the public internet. */
  reach?: Reach
  /** By default DNS. */
  resolve?: Resolve
}

export const mountRequests = (
  ports: Ports,
  handlers: FlowRunHandlers,
  { secrets }: Pick<FlowHandlers, 'secrets'>,
  { reach, resolve, ...settings }: RequestSettings,
): Required<Pick<Mounted, 'routes' | 'run'>> & { metrics(): Metric[] } => {
  const { pool, databaseUrl, log, spending, subjectKeys } = ports
  const encrypted = encryptedSecrets(subjectKeys)
  const counts = { succeeded: 0, failed: 0 }
  const deps = {
    send: outbound({ reach, resolve }),
    spend: (tenant: string) => spending.spendToday(tenant, 'flowRequestsPerDay', 1),
    secretsOf: async (tenant: string, names: readonly string[]) =>
      names.length === 0
        ? new Map<string, string>()
        : encrypted.decrypt(tenant, await secrets.load(tenant, tenant), names),
  }
  return {
    routes: requestRoutes({ ...deps, secrets, encrypted }),
    run: (signal) => sendRequests({ ...deps, ...settings, pool, databaseUrl, log, handlers, counts }, signal),
    metrics: () =>
      Object.entries(counts).map(
        ([outcome, value]): Metric => ({
          name: 'prosa_flow_requests_total',
          kind: 'counter',
          help: 'Requests of flows that this process sent, by outcome.',
          ...{ value, labels: { outcome } },
        }),
      ),
  }
}
