import { quickSessionEndpoints } from '@prosa/contracts/http/connections'
import { deriveId } from '@prosa/kernel/derive-id'
import { route } from '@prosa/kernel/http/route'
import type { FastifyPluginAsync } from 'fastify'
import type { ConnectionHandler } from '../handlers.ts'
import type { ConnectionCommands } from './connection-commands.ts'
import type { ConnectionNames } from './names/connection-names.ts'

/** Quick sessions are connections addressed by name. */
export const quickSessionRoutes =
  (
    { carryOut, linkingUntil, network, now }: ConnectionCommands,
    { load }: ConnectionHandler,
    names: ConnectionNames,
  ): FastifyPluginAsync =>
  async (app) => {
    /** A deterministic id, so that two concurrent requests mean the same. */
    const idOf = async (tenant: string, name: string) => {
      const known = await names.find(tenant, name)
      if (known && (await load(known, tenant)).status !== 'removed') return known
      for (let number = 0; ; number++) {
        const id = deriveId('quick session', tenant, name, number)
        if ((await load(id, tenant)).status !== 'removed') return id
      }
    }

    route(app, quickSessionEndpoints.addOrRefresh, async (request, reply) => {
      const { name } = request.body
      const id = await idOf(request.user.id, name)
      const data = { name, network: network(), until: linkingUntil() }
      await carryOut(request, reply, { id }, { type: 'AddOrRefreshConnection', data })
      return reply
        .code(201)
        .send({ id, name, status: 'connecting', qrCode: null, phoneNumber: null, lastActivity: now() })
    })

    route(app, quickSessionEndpoints.remove, async (request, reply) => {
      const { id } = request.params
      const target = { id, notFound: 'session_not_found' as const }
      await carryOut(request, reply, target, { type: 'RemoveConnection', data: {} })
      return { id }
    })
  }
