import { notBuiltYetHeader, positionHeader } from '@prosa/contracts/http/problem'
import type { ReadModelGate } from '@prosa/kernel/consumers/projections/read-model-gate'
// Its types declare what the HTTP application decorates Fastify with.
import type {} from '@prosa/kernel/http/app'
import type { FastifyReply, FastifyRequest } from 'fastify'

const timeoutMs = 2000

/** A hook for GETs: the reply names those of these read models that are not built yet. */
export const nameUnbuilt =
  (gate: ReadModelGate, readModels: readonly string[]) =>
  async (_: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const unbuilt = gate.unbuilt(readModels)
    if (unbuilt.length > 0) reply.header(notBuiltYetHeader, unbuilt.join(', '))
  }

/**
 * A hook for GETs: when the client sends the position that its command returned, as a token, the reply waits (2 s at most) until these
 * read models have got there. The reply names those of them, and of `also`, that are not built yet. It is a preHandler, so that
 * visitors and malformed queries are refused without waiting.
 */
export const readYourWrites = (gate: ReadModelGate, readModels: readonly string[], also: readonly string[] = []) => {
  const name = nameUnbuilt(gate, [...readModels, ...also])
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    await name(request, reply)
    const { positions } = request.server
    const tenant = request.signedIn?.id
    const header = request.headers[positionHeader]
    const position = tenant === undefined ? undefined : positions.latestOf(tenant, header)
    if (tenant === undefined || position === undefined) return
    if (header?.includes(',')) reply.header(positionHeader, positions.tokenOf(tenant, position))
    await gate.reached(readModels, position, timeoutMs)
  }
}
