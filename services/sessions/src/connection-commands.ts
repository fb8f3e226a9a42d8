import { connectionId } from '@prosa/contracts/values/ids'
import type { Instant } from '@prosa/contracts/values/instant'
import { type Clock, later } from '@prosa/kernel/clock'
import { replyPosition } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import { refuse } from '@prosa/kernel/http/problem'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ConnectionCommand, ConnectionState, Network } from './connection.ts'
import type { ConnectionHandler } from './handlers.ts'
import type { SessionTimings } from './timings.ts'

export interface ConnectionCommandsDeps {
  connections: ConnectionHandler
  clock: Clock
  timings: SessionTimings
  /** Where connections may link to; the first one is meant where none is named. */
  networks: readonly [Network, ...Network[]]
}

/** Commands to connections as requests make them, whatever a family of routes calls them. */
export interface ConnectionCommands {
  now(): Instant
  /** Until when codes are shown, if linking starts now. */
  linkingUntil(): Instant
  /** Throws the refusal `network_not_available` for a network that this process does not know. */
  network(wanted?: Network): Network
  /**
   * Carries the command out for the signed-in user and answers the state it led to. What is no id is the id of no connection;
   * `notFound` is how the family says that there is none. Throws refusals.
   */
  carryOut(
    request: FastifyRequest,
    reply: FastifyReply,
    target: { id: string; notFound?: 'connection_not_found' | 'session_not_found' },
    command: ConnectionCommand,
  ): Promise<ConnectionState>
}

export const connectionCommands = ({
  connections,
  clock,
  timings,
  networks,
}: ConnectionCommandsDeps): ConnectionCommands => ({
  now: () => clock.now(),
  linkingUntil: () => later(clock.now(), timings.linkingWindow),
  network(wanted = networks[0]) {
    if (!networks.includes(wanted)) throw refuse('network_not_available')
    return wanted
  },
  async carryOut(request, reply, { id: text, notFound = 'connection_not_found' }, command) {
    const { data: id } = connectionId.safeParse(text)
    if (id === undefined) throw refuse(notFound)
    const outcome = await connections(id, command, commandContext(request))
    if (!outcome.ok) throw refuse(outcome.rejected === 'connection_not_found' ? notFound : outcome.rejected)
    replyPosition(reply, outcome.position)
    return outcome.state
  },
})
