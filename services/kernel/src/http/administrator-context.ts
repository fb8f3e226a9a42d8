import type { FastifyRequest } from 'fastify'
import type { CommandContext } from '../domain/command-handler.ts'
import { commandContext } from './command-context.ts'

interface Decision {
  /** Whose stream it is about; null where that belongs to nobody. */
  owner: string | null
  /** In the administrator's own words; it is stored locked. */
  reason?: string | null | undefined
}

/** What an administrator decides about somebody or something, and why. */
export const administratorContext = (request: FastifyRequest, { owner, reason }: Decision): CommandContext => ({
  ...commandContext(request),
  actor: { kind: 'admin', id: request.user.id },
  owner,
  ...(reason && { reason }),
})
