import { flowEndpoints } from '@prosa/contracts/http/flows'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import { requireFlow } from '../flows/require-flow.ts'
import { reading } from '../reading/reading.ts'
import { findFlowVersion, findFlowVersions } from './queries.ts'

/** Below PostgreSQL's integer limit. */
const maxVersions = 1_000_000

export const flowVersionRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const { pool } = ports
    const options = reading(ports, ['flows', 'flow-versions', 'account'])

    route(app, flowEndpoints.versions, options, async ({ user, params }) => {
      const { id } = await requireFlow(pool, user.id, params.id)
      return findFlowVersions(pool, user.id, id)
    })
    route(app, flowEndpoints.version, options, async ({ user, params }) => {
      const { id } = await requireFlow(pool, user.id, params.id)
      const number = /^\d+$/.test(params.version) ? Math.min(Number(params.version), maxVersions) : 0
      const version = await findFlowVersion(pool, user.id, id, number)
      if (!version) throw refuse('flow_version_not_found')
      return version
    })
  }
