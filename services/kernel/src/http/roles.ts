import type { Endpoint } from '@prosa/contracts/http/endpoint'
import type { Role } from '@prosa/contracts/values/role'
import type { FastifyRequest } from 'fastify'
import { lruMap } from '../lru-map.ts'
import { refuse } from './problem.ts'
import { requireUser } from './require-user.ts'

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

/** It keeps analysts to their part; no other tenant's data depend on it, so it may be this old. */
const confinedForMs = 2000
const maxKnown = 20_000

export type Confinement = (userId: string, endpoint: Endpoint | undefined) => Promise<void>

const isOpenToAnalysts = ({ open, key, role, alsoForAnalysts }: Endpoint) =>
  open === true || key !== undefined || role === 'analyst' || alsoForAnalysts === true

/** An analyst who administers nothing is refused everything but data and the own account. */
export const confinement = (roles: Roles, stopwatch: () => number = () => performance.now()): Confinement => {
  const known = lruMap<string, { isConfined: boolean; until: number }>(maxKnown)
  const isConfined = async (userId: string): Promise<boolean> => {
    const found = known.get(userId)
    if (found && stopwatch() < found.until) return found.isConfined
    const until = stopwatch() + confinedForMs
    const ofUser = await roles.of(userId)
    const isConfined = ofUser.includes('analyst') && !ofUser.includes('admin')
    known.set(userId, { isConfined, until })
    return isConfined
  }
  return async (userId, endpoint) => {
    if (endpoint === undefined || isOpenToAnalysts(endpoint)) return
    if (await isConfined(userId)) throw refuse('only_data')
  }
}
