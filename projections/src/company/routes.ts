import { companyEndpoints } from '@prosa/contracts/http/accounts/company'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import type { FastifyPluginAsync } from 'fastify'
import { reading } from '../reading/reading.ts'
import { findCompany } from './queries.ts'

export const companyRoutes =
  (ports: Ports): FastifyPluginAsync =>
  async (app) => {
    route(app, companyEndpoints.read, reading(ports, ['company']), ({ user }) => findCompany(ports.pool, user.id))
  }
