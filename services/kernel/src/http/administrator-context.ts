import type { FastifyRequest } from 'fastify'
import type { CommandContext } from '../domain/command-handler.ts'
import { commandContext } from './command-context.ts'

interface Decision {
  /** The stream's tenant; null without one. */
  tenant: string | null
  /** Stored encrypted. */
  reason?: string | null | undefined
}

export const administratorContext = (request: FastifyRequest, { tenant, reason }: Decision): CommandContext => ({
  ...commandContext(request),
  actor: { kind: 'admin', id: request.user.id },
  tenant,
  ...(reason && { reason }),
})
