import { notBuiltYetHeader, positionHeader } from '@prosa/contracts/http/problem'
import type { ReadModelGate } from '@prosa/kernel/consumers/projections/read-model-gate'
// Loads the Fastify decorations.
import type {} from '@prosa/kernel/http/app'
import type { FastifyReply, FastifyRequest } from 'fastify'

const timeoutMs = 2000

/** Names unbuilt read models in the reply. */
export const nameUnbuilt =
  (gate: ReadModelGate, readModels: readonly string[]) =>
  async (_: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const unbuilt = gate.unbuilt(readModels)
    if (unbuilt.length > 0) reply.header(notBuiltYetHeader, unbuilt.join(', '))
  }

/** Waits at most 2 s for the client's position and names unbuilt read models (also of `also`). A preHandler: refusals do not wait. */
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
