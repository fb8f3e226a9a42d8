/** Of one database session, which stands for a process. */
export interface LockClaim {
  session: number
  lock: bigint
  /** Wanted by the session, or taken by it: the holder usually has both claims. */
  kind: 'wants' | 'holds'
  /** Of wants: only processes that would do the same work share it. */
  generation?: number
}

export interface LockView {
  mine: number
  claims: readonly LockClaim[]
  /** Of the locks that `mine` holds, those whose work may move now. */
  movable: ReadonlySet<bigint>
  /** Free for so long that nobody within its share wants them. */
  abandoned: ReadonlySet<bigint>
}

export interface LockMoves {
  take: bigint[]
  give: bigint | undefined
}

interface Contender {
  /** Generations by lock. */
  wants: Map<bigint, number>
  holds: Set<bigint>
}

/** Against sums like 3 × ⅓ that are a little over a whole number. */
const rounding = 1e-9

const contendersOf = (claims: readonly LockClaim[]): Map<number, Contender> => {
  const contenders = new Map<number, Contender>()
  for (const { session, lock, kind, generation = 0 } of claims) {
    const contender = contenders.get(session) ?? { wants: new Map(), holds: new Set() }
    contenders.set(session, contender)
    if (kind === 'wants') contender.wants.set(lock, generation)
    else contender.holds.add(lock)
  }
  // Locks for other purposes are nobody's part of a share.
  for (const { wants, holds } of contenders.values()) for (const lock of holds) if (!wants.has(lock)) holds.delete(lock)
  return contenders
}

/** Each lock that a process wants counts as its part among those who want it; rounded up, so that none is left over. */
const sharesOf = (contenders: Map<number, Contender>): Map<number, number> => {
  const wanting = new Map<string, number>()
  for (const { wants } of contenders.values())
    for (const want of wants) wanting.set(String(want), (wanting.get(String(want)) ?? 0) + 1)
  const partsOf = ({ wants }: Contender) =>
    [...wants].reduce((sum, want) => sum + 1 / (wanting.get(String(want)) ?? 1), 0)
  return new Map([...contenders].map(([session, each]) => [session, Math.ceil(partsOf(each) - rounding)]))
}

/**
 * Free locks are taken within one's share, abandoned ones beyond it too: processes may want different locks. One lock beyond the share is
 * given, if a process wants it that has less than its own.
 */
export const nextMoves = ({ mine, claims, movable, abandoned }: LockView): LockMoves => {
  const contenders = contendersOf(claims)
  const shares = sharesOf(contenders)
  const me = contenders.get(mine)
  if (!me) return { take: [], give: undefined }
  const taken = new Set(claims.flatMap(({ lock, kind }) => (kind === 'holds' ? lock : [])))
  const room = (shares.get(mine) ?? 0) - me.holds.size
  const free = [...me.wants.keys()].filter((lock) => !taken.has(lock))
  const within = free.slice(0, Math.max(0, room))
  const beyond = free.slice(within.length).filter((lock) => abandoned.has(lock))
  if (room >= 0) return { take: [...within, ...beyond], give: undefined }
  const lacking = [...contenders].filter(([session, { holds }]) => holds.size < (shares.get(session) ?? 0))
  const isLacked = (lock: bigint) => lacking.some(([, { wants }]) => wants.get(lock) === me.wants.get(lock))
  return { take: beyond, give: [...me.holds].find((lock) => movable.has(lock) && isLacked(lock)) }
}
