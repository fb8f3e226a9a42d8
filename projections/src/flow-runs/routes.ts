import { flowRunId } from '@prosa/contracts/flows/flow-document'
import { flowRunEndpoints } from '@prosa/contracts/http/flow-runs'
import { cursorHeader } from '@prosa/contracts/http/problem'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import { logCursors } from '../cursor.ts'
import { reading } from '../reading/reading.ts'
import { findFlowRun, findFlowRuns } from './queries.ts'
import { requireFlow } from './require-flow.ts'
import { readSteps } from './steps.ts'

const pageSize = 50

export const flowRunRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const { pool } = ports
    const places = logCursors(ports.box)
    const hooks = reading(ports, ['flow-runs'], { also: ['contact-list'] })

    route(app, flowRunEndpoints.list, hooks, async ({ user, params, query: { cursor } }, reply) => {
      const flowId = await requireFlow(ports, user.id, params.id)
      const before = places.decode(user.id, cursor)
      const found = await findFlowRuns(pool, { tenant: user.id, flowId, before, limit: pageSize + 1 })
      const page = found.slice(0, pageSize)
      const last = page.at(-1)
      if (last && found.length > pageSize) reply.header(cursorHeader, places.encode(user.id, last.place))
      return page.map(({ place: _, ...run }) => run)
    })

    route(app, flowRunEndpoints.read, hooks, async ({ user, params }) => {
      const id = flowRunId.safeParse(params.id)
      const found = id.success && (await findFlowRun(pool, user.id, id.data))
      if (!found) throw refuse('flow_run_not_found')
      const { parts, ...run } = found
      return { ...run, steps: await readSteps(ports, user.id, run.id, parts) }
    })
  }
