/** The control API of the simulated phones. Every reply to a change is sent after it is on disk. */
import type { FastifyPluginAsync } from 'fastify'
import { chatRoutes } from './chat-routes.ts'
import { demoRoutes } from './demo-routes.ts'
import { faultRoutes } from './fault-routes.ts'
import { phoneRoutes } from './phone-routes.ts'
import { answerProblem } from './refusal.ts'
import type { Simulator } from './simulator.ts'
import { streamChanges } from './stream-changes.ts'

interface EventsRoute {
  Querystring: { messages?: string }
}

export const simulatorRoutes =
  ({ sandbox: simulator }: { sandbox: Simulator }): FastifyPluginAsync =>
  async (app) => {
    app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => answerProblem(error, reply))
    await app.register(phoneRoutes(simulator))
    await app.register(chatRoutes(simulator))
    await app.register(faultRoutes(simulator))
    await app.register(demoRoutes(simulator, app.prefix))
    app.get<EventsRoute>('/events', async ({ query }, reply) =>
      streamChanges(simulator, reply, { messages: query.messages === '1' }),
    )
    app.addHook('preClose', async () => void simulator.emit('closing'))
  }
