import type { Role } from '@prosa/contracts/values/role'
import type { FastifyRequest } from 'fastify'
import { requireUser } from './require-user.ts'
import { refuse } from './problem.ts'

export interface Roles {
  /** A revocation takes effect with the next request. */
  of(userId: string): Promise<readonly Role[]>
}

/** 401 for visitors, 403 without the role. */
export const requireRole =
  (roles: Roles, role: Role) =>
  async (request: FastifyRequest): Promise<void> => {
    await requireUser(request)
    if (!(await roles.of(request.user.id)).includes(role)) throw refuse('not_allowed')
  }
