import { companyEndpoints, unknownCompany } from '@prosa/contracts/http/accounts/company'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import { readingThen } from '../moments/reading-then.ts'
import { rowsThen } from '../moments/rows-then.ts'
import { reading } from '../reading/reading.ts'
import { company } from './projection.ts'
import { findCompany } from './queries.ts'

export const companyRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    const then = rowsThen(ports, app.positions)
    const hooks = readingThen(ports, reading(ports, [company.name]), [])
    route(app, companyEndpoints.read, hooks, async ({ user, query: { em } }) => {
      if (em === undefined) return findCompany(ports.pool, user.id)
      const [row] = await then(company, 'company', { tenant: user.id, em })
      if (!row) return unknownCompany
      const { id: _, tenant: __, ...shown } = row
      return shown
    })
  }
