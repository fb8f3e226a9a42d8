import type { Metric } from '@prosa/kernel/observability/metric'
import type { Mounted } from '@prosa/kernel/ports'
import { apiKeys } from '@prosa/product/keys/api-keys'
import type { Ports } from '@prosa/product/ports'
import type { FlowHandlers } from '../flow-handlers.ts'
import { continueRunTimer } from './continue-run-timer.ts'
import { mountRequests, type RequestSettings } from './requests/mount-requests.ts'
import { botRoutes } from './routes/bot-routes.ts'
import { flowRunRoutes } from './routes/flow-run-routes.ts'
import { type FlowRunHandlers, flowRunHandlers } from './run-handlers.ts'
import { runReactors } from './run-reactors.ts'

export const mountRuns = (
  ports: Ports,
  flows: FlowHandlers,
  settings: RequestSettings,
): Required<Pick<Mounted, 'routes' | 'reactors' | 'timers' | 'run'>> & {
  handlers: FlowRunHandlers
  metrics(): Metric[]
} => {
  const handlers = flowRunHandlers(ports)
  const { routes, run, metrics } = mountRequests(ports, handlers, flows, settings)
  return {
    handlers,
    routes: async (app) => {
      await app.register(flowRunRoutes(handlers, ports, apiKeys(ports)))
      await app.register(botRoutes(handlers, ports))
      await app.register(routes)
    },
    ...{ run, metrics },
    reactors: runReactors(handlers, ports),
    timers: [continueRunTimer(handlers)],
  }
}
