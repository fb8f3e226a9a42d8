import type { WalkPart } from '@prosa/contracts/http/what-if/walk'
import type { Instant } from '@prosa/contracts/values/instant'
import { localDay, startOfDay } from '@prosa/contracts/values/time/local-time'
import { daysAfter } from '@prosa/contracts/values/time/period'
import type { TimeSlice } from '@prosa/kernel/async/time-slice'
import { refuse } from '@prosa/kernel/http/problem'
import type { Ports } from '@prosa/kernel/ports'

const partMs = 2500
/** Records of one part. */
export const maxListed = 1000
const atOnce = 4

type Gate = Pick<Ports['readModels'], 'neverBuilt' | 'isParked'>

/** Refuses while these lists lack records: one was never built whole, or the tenant is parked in it. */
export const requireBuilt = (readModels: Gate, names: readonly string[], tenant?: string): void => {
  const isParked = tenant !== undefined && readModels.isParked(names, tenant)
  if (isParked || readModels.neverBuilt(names).length > 0) throw refuse('past_not_ready')
}

/** The records after the former part's, in order of their ids; `done` of all `total` came before. */
export interface Listed {
  ids: readonly string[]
  done: number
  total: number
}

/** Works on records for two and a half seconds or until `isFull`, at least on the first four; `found` is in their order. */
export const walkPart = async <T>(
  { ids, done, total }: Listed,
  slice: TimeSlice,
  work: (id: string) => Promise<T>,
  isFull: () => boolean = () => false,
): Promise<{ found: T[] } & Omit<WalkPart, 'isCut'>> => {
  const began = performance.now()
  const found: T[] = []
  do {
    if (slice.isDue()) await slice.turn()
    found.push(...(await Promise.all(ids.slice(found.length, found.length + atOnce).map(work))))
  } while (found.length < ids.length && !isFull() && performance.now() - began < partMs)
  const last = ids[found.length - 1]
  const isOver = last === undefined || (found.length === ids.length && ids.length < maxListed)
  return { found, done: isOver ? total : done + found.length, total, next: isOver ? null : last }
}

const usualDays = 7

/** From the beginning of the first day to the end of the last, or to now; without days the last seven with today. */
export const daysAsked = (
  asked: { from?: string | undefined; to?: string | undefined },
  timeZone: string,
  now: Instant,
): { from: Instant; until: Instant } => {
  const to = asked.to ?? localDay(timeZone, now)
  const end = startOfDay(timeZone, daysAfter(to, 1))
  return { from: startOfDay(timeZone, asked.from ?? daysAfter(to, 1 - usualDays)), until: end < now ? end : now }
}
