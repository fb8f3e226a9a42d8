import { flowRunEndpoints } from '@prosa/contracts/http/flow-runs'
import { publicEndpoints } from '@prosa/contracts/http/public/public-api'
import { firstNameOf } from '@prosa/contracts/values/text/filled-text'
import { defaultTimeZone } from '@prosa/contracts/values/time/time-zone'
import { replyPosition } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import type { KeyGate } from '@prosa/kernel/http/keys'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/product/ports'
import { daysAsked } from '@prosa/product/what-if/walk-part'
import type { FastifyPluginAsync } from 'fastify'
import { bodyLimitBytes, requireSmall } from '../../routes/faults.ts'
import { type FlowFacts, labelFacts } from '../flow-facts.ts'
import { findRunContact } from '../queries.ts'
import { noFlowLimits } from '../recent-flows.ts'
import { draftVersion, playTest } from '../replay/play-test.ts'
import { replayFlow } from '../replay/replay-flow.ts'
import { type FlowRunHandlers, timeFacts } from '../run-handlers.ts'
import { startOnRequest } from '../start-on-request.ts'

export const flowRunRoutes =
  (handlers: FlowRunHandlers, ports: Ports, keys: KeyGate): FastifyPluginAsync =>
  async (app) => {
    const { documents, hoursOf, labelsOf, fieldsOf, companyOf, give, clock } = handlers

    /** Includes drafts that were never published. */
    const ownFlow = async (tenant: string, id: string): Promise<string> => {
      const flowId = id.toLowerCase()
      if (!(await documents.exists(tenant, flowId))) throw refuse('flow_not_found')
      return flowId
    }
    const libraryFor = (tenant: string, flowId: string, document: Parameters<typeof playTest>[0]['document']) =>
      documents.libraryOf(
        tenant,
        [{ flowId, version: draftVersion }],
        new Map([[`${flowId} ${draftVersion}`, document]]),
      )

    route(app, flowRunEndpoints.test, { bodyLimit: bodyLimitBytes }, async ({ params, body, user, slice }) => {
      requireSmall(body.document)
      const flowId = await ownFlow(user.id, params.id)
      const { document, inputs, contact, isOpen: isOpenAlways } = body
      const hours = await hoursOf(user.id)
      const company = await companyOf(user.id)
      const labels = labelFacts(contact.labelIds, await labelsOf(user.id))
      const fields = await fieldsOf(user.id)
      const factsAt = (now: string): FlowFacts => ({
        now,
        ...timeFacts(hours, now),
        ...(isOpenAlways !== null && { isOpen: isOpenAlways }),
        ...labels,
        fields,
        fieldValues: {},
        firstName: firstNameOf(contact.name),
        company,
        limits: noFlowLimits,
      })
      const library = await libraryFor(user.id, flowId, document)
      return playTest({ flowId, document, library, contact, factsAt, now: clock.now() }, inputs, slice)
    })

    route(app, flowRunEndpoints.replay, { bodyLimit: bodyLimitBytes }, async ({ params, body, user, slice }) => {
      requireSmall(body.document)
      const flowId = await ownFlow(user.id, params.id)
      const { document, after } = body
      const library = await libraryFor(user.id, flowId, document)
      const flow = { flowId, version: draftVersion, document }
      const timeZone = (await hoursOf(user.id))?.timeZone ?? defaultTimeZone
      const days = daysAsked(body, timeZone, clock.now())
      return replayFlow(handlers, ports, { tenant: user.id, flow, library, after, ...days }, slice)
    })

    route(app, flowRunEndpoints.stop, async (request, reply) => {
      const runId = request.params.id.toLowerCase()
      const run = await findRunContact(ports.pool, request.user.id, runId)
      if (!run) throw refuse('flow_run_not_found')
      const data = { at: clock.now(), reason: 'stopped', runId } as const
      const outcome = await give(run.contactId, { type: 'EndRuns', data }, commandContext(request))
      if (!outcome.ok) throw refuse('flow_run_not_found')
      replyPosition(reply, outcome.position)
      return { id: runId }
    })

    route(app, publicEndpoints.startFlow, { keys }, async (request, reply) => {
      const { params, body, user } = request
      const flowId = params.id.toLowerCase()
      const wish = { ...body, tenant: user.id, flowId, connectionId: body.connectionId, startedBy: 'program' as const }
      const { runId, position, ...begun } = await startOnRequest(
        handlers,
        ports.entitlements,
        wish,
        commandContext(request),
      )
      replyPosition(reply, position)
      return reply.code(201).send({ ...begun, id: runId, flowId })
    })
  }
