import type { Endpoint } from '@prosa/contracts/http/endpoint'
import { lruMap } from '../lru-map.ts'
import { refuse } from './problem.ts'
import type { Roles } from './roles.ts'

/** It keeps analysts to their part; no other tenant's data depend on it, so it may be this old. */
export const confinedForMs = 2000
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
    const held = await roles.of(userId)
    const isConfined = held.includes('analyst') && !held.includes('admin')
    known.set(userId, { isConfined, until })
    return isConfined
  }
  return async (userId, endpoint) => {
    if (endpoint === undefined || isOpenToAnalysts(endpoint)) return
    if (await isConfined(userId)) throw refuse('only_data')
  }
}
