import type { FastifyRequest } from 'fastify'
import type { CommandContext } from '../domain/command-handler.ts'

export const commandContext = (request: FastifyRequest): CommandContext => ({
  commandId: request.command.id,
  repeated: request.command.repeated,
  actor: { kind: 'user', id: request.user.id },
  owner: request.user.id,
  causationId: request.id,
  correlationId: request.id,
})
