import type { Mounted } from '@prosa/kernel/ports'
import { apiKeys } from '@prosa/product/keys/api-keys'
import type { Ports } from '@prosa/product/ports'
import { continueRunTimer } from './continue-run-timer.ts'
import { botRoutes } from './routes/bot-routes.ts'
import { flowRunRoutes } from './routes/flow-run-routes.ts'
import { type FlowRunHandlers, flowRunHandlers } from './run-handlers.ts'
import { runReactors } from './run-reactors.ts'

export const mountRuns = (
  ports: Ports,
): Required<Pick<Mounted, 'routes' | 'reactors' | 'timers'>> & { handlers: FlowRunHandlers } => {
  const handlers = flowRunHandlers(ports)
  return {
    handlers,
    routes: async (app) => {
      await app.register(flowRunRoutes(handlers, ports, apiKeys(ports)))
      await app.register(botRoutes(handlers, ports))
    },
    reactors: runReactors(handlers, ports),
    timers: [continueRunTimer(handlers)],
  }
}
