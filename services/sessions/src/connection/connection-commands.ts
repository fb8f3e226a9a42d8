import { connectionId } from '@prosa/contracts/values/ids'
import type { Instant } from '@prosa/contracts/values/instant'
import { type Clock, later } from '@prosa/kernel/clock'
import { decide } from '@prosa/kernel/domain/decider'
import { replyPosition } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import { refuse } from '@prosa/kernel/http/problem'
import type { Entitlements } from '@prosa/product/entitlements/port'
import { requireAccess } from '@prosa/product/entitlements/refuse-beyond-plan'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ConnectionCommand, type ConnectionState, connection, type Network } from '../domain/connection.ts'
import type { ConnectionHandler } from '../handlers.ts'
import type { SessionTimings } from '../timings.ts'
import type { ConnectionQuota } from './quota/connection-quota.ts'

export interface ConnectionCommandsDeps {
  connections: ConnectionHandler
  quota: ConnectionQuota
  entitlements: Entitlements
  clock: Clock
  timings: SessionTimings
  /** The first is the default. */
  networks: readonly [Network, ...Network[]]
}

export interface ConnectionCommands {
  now(): Instant
  linkingUntil(): Instant
  network(wanted?: Network): Network
  /** `notFound` is the refusal for an unknown or invalid id. Throws refusals, also those of limits and plan. */
  carryOut(
    request: FastifyRequest,
    reply: FastifyReply,
    target: { id: string; notFound?: 'connection_not_found' | 'session_not_found' },
    command: ConnectionCommand,
  ): Promise<ConnectionState>
}

const beginsLinking = (state: ConnectionState, command: ConnectionCommand): boolean => {
  const decision = decide(connection, state, command)
  return !('rejected' in decision) && decision.some(({ type }) => type === 'LinkingStarted')
}

export const connectionCommands = ({
  connections,
  quota,
  entitlements,
  clock,
  timings,
  networks,
}: ConnectionCommandsDeps): ConnectionCommands => {
  /** New connections only: an existing one may always be linked again. */
  const limitOfNew = async (tenant: string) => {
    const entitlement = await entitlements.of(tenant)
    requireAccess(entitlement)
    return entitlement.connections.limit
  }

  return {
    now: () => clock.now(),
    linkingUntil: () => later(clock.now(), timings.linkingWindow),
    network(wanted = networks[0]) {
      if (!networks.includes(wanted)) throw refuse('network_not_available')
      return wanted
    },
    async carryOut(request, reply, { id: text, notFound = 'connection_not_found' }, command) {
      const { data: id } = connectionId.safeParse(text)
      if (id === undefined) throw refuse(notFound)
      const tenant = request.user.id
      const state = await connections.load(id, tenant)
      const reserves = beginsLinking(state, command)
      if (reserves) await quota.reserve(tenant, id, state.status === 'absent' ? await limitOfNew(tenant) : null)
      const outcome = await connections(id, command, commandContext(request))
      if (!outcome.ok) {
        if (reserves) await quota.release(id)
        throw refuse(outcome.rejected === 'connection_not_found' ? notFound : outcome.rejected)
      }
      // Frees the capacity at once, before the reactor.
      await quota.settle(id, outcome)
      replyPosition(reply, outcome.position)
      return outcome.state
    },
  }
}
