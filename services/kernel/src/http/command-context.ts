import type { FastifyRequest } from 'fastify'
import type { CommandContext } from '../domain/command-handler.ts'

/** The context of a command that a signed-in user's request makes: the user acts, in the user's own tenant. */
export const commandContext = (request: FastifyRequest): CommandContext => ({
  commandId: request.command.id,
  repeated: request.command.repeated,
  actor: { kind: 'user', id: request.user.id },
  owner: request.user.id,
  causationId: request.id,
  correlationId: request.id,
})
