import type { Actor } from '@prosa/contracts/events/metadata'
import type { FastifyRequest } from 'fastify'
import type { CommandContext } from '../domain/command-handler.ts'

/** With a key: its holder, and which key. */
const actorOf = ({ user, apiKey }: Pick<FastifyRequest, 'user'> & Partial<FastifyRequest>): Actor => ({
  kind: 'user',
  id: user.id,
  ...(apiKey && { keyId: apiKey.id }),
})

export const commandContext = (request: FastifyRequest): CommandContext => ({
  commandId: request.command.id,
  repeated: request.command.repeated,
  actor: actorOf(request),
  tenant: request.user.id,
  causationId: request.id,
  correlationId: request.id,
})
