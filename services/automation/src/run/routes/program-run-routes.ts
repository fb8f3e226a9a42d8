import { publicEndpoints } from '@prosa/contracts/http/public/public-api'
import { replyPosition } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import type { KeyGate } from '@prosa/kernel/http/keys'
import { route } from '@prosa/kernel/http/route'
import type { Entitlements } from '@prosa/product/entitlements/port'
import type { FastifyPluginAsync } from 'fastify'
import type { FlowRunHandlers } from '../run-handlers.ts'
import { startByProgram } from '../start-by-program.ts'

/** Of the public API, by key. */
export const programRunRoutes =
  (
    handlers: FlowRunHandlers,
    { keys, entitlements }: { keys: KeyGate; entitlements: Entitlements },
  ): FastifyPluginAsync =>
  async (app) => {
    route(app, publicEndpoints.startFlow, { keys }, async (request, reply) => {
      const { contactId, connectionId } = request.body
      const flowId = request.params.id.toLowerCase()
      const wish = { owner: request.user.id, flowId, contactId, connectionId }
      const { runId, position, ...started } = await startByProgram(
        handlers,
        entitlements,
        wish,
        commandContext(request),
      )
      replyPosition(reply, position)
      return reply.code(201).send({ ...started, id: runId, flowId })
    })
  }
