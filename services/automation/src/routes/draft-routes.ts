import { flowEndpoints } from '@prosa/contracts/http/flows'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { FastifyError, FastifyPluginAsync } from 'fastify'
import type { FlowGround } from '../flow-ground.ts'
import { flowProblems, readPatterns } from '../flow-problems.ts'
import { findFlowVersion } from '../flow-versions.ts'
import { missingReferences } from '../missing-references.ts'
import { commandFlow, refuseErrors, requireFlow } from './command-flow.ts'
import { aboutFlow, bodyLimitBytes, requireSmall } from './faults.ts'
import { shownFlow } from './shown.ts'

/** What a flow says and does: saved as a draft, checked, published, taken back from a version. */
export const draftRoutes =
  (ground: FlowGround): FastifyPluginAsync =>
  async (app) => {
    const command = commandFlow(ground)
    app.setErrorHandler((error: FastifyError, request) => {
      throw aboutFlow(error, request.body)
    })

    route(app, flowEndpoints.saveDraft, { bodyLimit: bodyLimitBytes }, async (request, reply) => {
      const id = request.params.id.toLowerCase()
      requireSmall(request.body.document)
      const data = { ...request.body, restoredVersion: null }
      const flow = await command(request, reply, id, { type: 'SaveDraft', data })
      const { updatedAt } = await shownFlow(ground, id, flow)
      return { id, revision: flow.revision, updatedAt }
    })

    route(app, flowEndpoints.publish, async (request, reply) => {
      const owner = request.user.id
      const id = request.params.id.toLowerCase()
      const { document } = await requireFlow(ground, owner, id)
      const missing = await missingReferences(ground, owner, document, request.slice)
      await readPatterns(document, request.slice)
      if (missing.length > 0) throw refuseErrors([...missing, ...flowProblems(document)])
      const flow = await command(request, reply, id, { type: 'PublishFlow', data: request.body })
      return shownFlow(ground, id, flow)
    })

    route(app, flowEndpoints.check, { bodyLimit: bodyLimitBytes }, async ({ user, body: { document }, slice }) => {
      requireSmall(document)
      const missing = await missingReferences(ground, user.id, document, slice)
      await readPatterns(document, slice)
      return [...missing, ...flowProblems(document)]
    })

    route(app, flowEndpoints.restore, async (request, reply) => {
      const owner = request.user.id
      const id = request.params.id.toLowerCase()
      await requireFlow(ground, owner, id)
      const restoredVersion = Number(request.params.version)
      const document = await findFlowVersion(ground, owner, id, restoredVersion)
      if (!document) throw refuse('flow_version_not_found')
      const { basedOn } = request.body
      const flow = await command(request, reply, id, {
        type: 'SaveDraft',
        data: { document, basedOn, restoredVersion },
      })
      const { revision, publishedRevision } = flow
      return {
        ...(await shownFlow(ground, id, flow)),
        document: flow.document,
        revision,
        isChanged: revision !== publishedRevision,
      }
    })
  }
