import type { Role } from '@prosa/contracts/values/role'
import type { FastifyRequest } from 'fastify'
import { requireUser } from './app.ts'
import { refuse } from './problem.ts'

/** Who may do more than look after an account of their own. */
export interface Roles {
  /** The user's roles as they are now: what was taken away counts at the next request. */
  of(userId: string): Promise<readonly Role[]>
}

/** A hook for routes that need a role: 401 for visitors, 403 for everybody without it. */
export const requireRole =
  (roles: Roles, role: Role) =>
  async (request: FastifyRequest): Promise<void> => {
    await requireUser(request)
    if (!(await roles.of(request.user.id)).includes(role)) throw refuse('not_allowed')
  }
