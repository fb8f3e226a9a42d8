import { flowEndpoints } from '@prosa/contracts/http/flows'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { FastifyError, FastifyPluginAsync } from 'fastify'
import { requireDraft } from '../drafts/read-draft.ts'
import { storedSave } from '../drafts/save-draft.ts'
import { spendingOnVersion } from '../drafts/spend-on-version.ts'
import type { FlowDeps } from '../flow-deps.ts'
import { flowProblems, precompilePatterns } from '../flow-problems.ts'
import { findFlowVersion } from '../flow-versions.ts'
import { missingReferences } from '../missing-references.ts'
import { requireFlow } from '../require-own.ts'
import { commandFlow, refuseErrors } from './command-flow.ts'
import { aboutFlow, bodyLimitBytes, requireSmall } from './faults.ts'
import { shownFlow } from './shown.ts'

/** Drafts have budgets of their own. */
const stored = { bodyLimit: bodyLimitBytes, config: { countsBodyItself: true } } as const

export const draftRoutes =
  (deps: FlowDeps): FastifyPluginAsync =>
  async (app) => {
    const command = commandFlow(deps)
    app.setErrorHandler((error: FastifyError, request) => {
      throw aboutFlow(error, request.body)
    })

    route(app, flowEndpoints.saveDraft, stored, async (request, reply) => {
      const id = request.params.id.toLowerCase()
      requireSmall(request.body.document)
      const save = await storedSave(deps, request.user.id, id, { ...request.body, restoredVersion: null })
      const { state } = await command(request, reply, id, save)
      const { updatedAt } = await shownFlow(deps, id, state)
      return { id, revision: state.revision, updatedAt }
    })

    route(app, flowEndpoints.publish, async (request, reply) => {
      const tenant = request.user.id
      const id = request.params.id.toLowerCase()
      const { flow, document } = await requireDraft(deps, tenant, id)
      const missing = await missingReferences(deps, tenant, document, request.slice)
      await precompilePatterns(document, request.slice)
      if (missing.length > 0) throw refuseErrors([...missing, ...flowProblems(document)])
      const data = { ...request.body, document, readAt: flow.revision }
      const isNew = flow.publishedRevision !== flow.revision
      const publish = () => command(request, reply, id, { type: 'PublishFlow', data })
      const { state } = await (isNew ? spendingOnVersion(deps, tenant, document, publish) : publish())
      return shownFlow(deps, id, state)
    })

    route(app, flowEndpoints.check, { bodyLimit: bodyLimitBytes }, async ({ user, body: { document }, slice }) => {
      requireSmall(document)
      const missing = await missingReferences(deps, user.id, document, slice)
      await precompilePatterns(document, slice)
      const fields = await deps.fields.load(user.id, user.id)
      return [
        ...missing,
        ...flowProblems(
          document,
          Array.from(fields.values(), ({ variable }) => variable),
        ),
      ]
    })

    route(app, flowEndpoints.restore, async (request, reply) => {
      const tenant = request.user.id
      const id = request.params.id.toLowerCase()
      await requireFlow(deps, tenant, id)
      const restoredVersion = Number(request.params.version)
      const document = await findFlowVersion(deps, tenant, id, restoredVersion)
      if (!document) throw refuse('flow_version_not_found')
      const { basedOn } = request.body
      const save = await storedSave(deps, tenant, id, { document, basedOn, restoredVersion })
      const { state } = await command(request, reply, id, save)
      const { revision, publishedRevision } = state
      return { ...(await shownFlow(deps, id, state)), document, revision, isChanged: revision !== publishedRevision }
    })
  }
