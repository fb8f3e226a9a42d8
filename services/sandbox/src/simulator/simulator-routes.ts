import { simulatorEndpoints } from '@prosa/contracts/http/simulator'
import type { FastifyPluginAsync } from 'fastify'
import { chatRoutes } from './chat-routes.ts'
import { demoRoutes } from './demo-routes.ts'
import { faultRoutes } from './fault-routes.ts'
import { phoneRoutes } from './phone-routes.ts'
import { answerProblem, parse } from './refusal.ts'
import type { Simulator } from './simulator.ts'
import { simulatorRoute } from './simulator-route.ts'
import { streamChanges } from './stream-changes.ts'

export interface SimulatorRoutesDeps {
  sandbox: Simulator
  /** Where the product is; by default this server. */
  productUrl?: string | undefined
}

export const simulatorRoutes =
  ({ sandbox: simulator, productUrl }: SimulatorRoutesDeps): FastifyPluginAsync =>
  async (app) => {
    app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => answerProblem(error, reply))
    await app.register(phoneRoutes(simulator))
    await app.register(chatRoutes(simulator))
    await app.register(faultRoutes(simulator))
    await app.register(demoRoutes(simulator, productUrl))
    simulatorRoute(app, simulator, simulatorEndpoints.changes, ({ query }, reply) => {
      const { messages } = parse(simulatorEndpoints.changes.query, query)
      streamChanges(simulator, reply, { messages: messages === '1' })
      return reply
    })
    app.addHook('preClose', async () => void simulator.emit('closing'))
  }
