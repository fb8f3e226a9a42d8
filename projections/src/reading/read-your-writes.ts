import { notBuiltYetHeader, positionHeader } from '@prosa/contracts/http/problem'
import type { ReadModelGate } from '@prosa/kernel/consumers/projections/read-model-gate'
import type { Position } from '@prosa/kernel/event-store/port'
import type { FastifyReply, FastifyRequest } from 'fastify'

const timeoutMilliseconds = 2000

/**
 * A hook for GETs: when the client sends the position that its command returned, the reply waits (2 s at most) until these
 * read models have got there. The reply names those of them, and of `also`, that are not built yet. It is a preHandler, so that visitors and malformed queries are refused without waiting.
 */
export const readYourWrites =
  (gate: ReadModelGate, readModels: readonly string[], also: readonly string[] = []) =>
  async ({ headers }: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const unbuilt = gate.unbuilt([...readModels, ...also])
    if (unbuilt.length > 0) reply.header(notBuiltYetHeader, unbuilt.join(', '))
    const position = headers[positionHeader]
    if (typeof position === 'string' && position !== '')
      await gate.reached(readModels, position as Position, timeoutMilliseconds)
  }
