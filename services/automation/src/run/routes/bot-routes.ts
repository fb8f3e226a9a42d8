import { flowRunEndpoints } from '@prosa/contracts/http/flow-runs'
import { contactId } from '@prosa/contracts/values/ids'
import { later } from '@prosa/kernel/clock'
import { replyPosition } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/product/ports'
import type { FastifyPluginAsync } from 'fastify'
import type { FlowRunCommand } from '../flow-runs.ts'
import type { FlowRunHandlers } from '../run-handlers.ts'
import { startOnRequest } from '../start-on-request.ts'

const hourMs = 3_600_000

/** What attendants ask of flows with one contact. */
export const botRoutes =
  (handlers: FlowRunHandlers, { entitlements }: Pick<Ports, 'entitlements'>): FastifyPluginAsync =>
  async (app) => {
    const { personAt, give, clock } = handlers

    const requireContact = async (tenant: string, id: string): Promise<string> => {
      const known = contactId.safeParse(id.toLowerCase())
      if (!known.success) throw refuse('contact_not_found')
      const person = await personAt(tenant, known.data)
      const { status } = person.state
      if (status === 'absent' || status === 'erased') throw refuse('contact_not_found')
      return person.id
    }
    const command = async (
      request: Parameters<typeof commandContext>[0],
      id: string,
      asked: Extract<FlowRunCommand, { type: 'PauseBot' | 'ResumeBot' }>,
    ) => {
      const outcome = await give(id, asked, commandContext(request))
      if (!outcome.ok) throw refuse('contact_not_found')
      return outcome
    }

    route(app, flowRunEndpoints.pauseBot, async (request, reply) => {
      const { user, params, body } = request
      const id = await requireContact(user.id, params.id)
      const at = clock.now()
      const until = body.hours === null ? null : later(at, body.hours * hourMs)
      const data = { at, until, attendantId: user.id }
      const { position, state } = await command(request, id, { type: 'PauseBot', data })
      replyPosition(reply, position)
      return { id, until: state.botPause?.until ?? null }
    })

    route(app, flowRunEndpoints.resumeBot, async (request, reply) => {
      const { user, params } = request
      const id = await requireContact(user.id, params.id)
      const data = { at: clock.now(), attendantId: user.id }
      const { position } = await command(request, id, { type: 'ResumeBot', data })
      replyPosition(reply, position)
      return { id }
    })

    route(app, flowRunEndpoints.startByHand, async (request, reply) => {
      const { user, params, body } = request
      const id = await requireContact(user.id, params.id)
      const wish = { tenant: user.id, flowId: body.flowId, contactId: id, connectionId: undefined }
      const asked = { ...wish, startedBy: 'attendant' } as const
      const { runId, position, ...begun } = await startOnRequest(handlers, entitlements, asked, commandContext(request))
      replyPosition(reply, position)
      return reply.code(201).send({ ...begun, id: runId, flowId: body.flowId })
    })
  }
