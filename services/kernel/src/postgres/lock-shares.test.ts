import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type LockClaim, nextMoves } from './lock-shares.ts'

/** Locks and who wants them; a lock is free for two rounds before it counts as abandoned. */
const town = (wanting: readonly (readonly number[])[]) => {
  const wants = new Map(wanting.map((locks, session) => [session, new Set(locks.map(BigInt))]))
  const holders = new Map<bigint, number>()
  const freeRounds = new Map<bigint, number>()
  const claims = (): LockClaim[] => [
    ...[...wants].flatMap(([session, locks]) => [...locks].map((lock) => ({ session, lock, kind: 'wants' as const }))),
    ...[...holders].map(([lock, session]) => ({ session, lock, kind: 'holds' as const })),
  ]
  const locksOf = (session: number) => new Set([...holders].flatMap(([lock, of]) => (of === session ? lock : [])))
  let moves = 0
  /** One process looks, with what it saw; takes what is still free. */
  const look = (session: number, seen = claims()) => {
    const abandoned = new Set([...freeRounds].flatMap(([lock, rounds]) => (rounds > 2 ? lock : [])))
    const { take, give } = nextMoves({ mine: session, claims: seen, movable: locksOf(session), abandoned })
    for (const lock of take) {
      expect(wants.get(session)?.has(lock)).toBe(true)
      if (!holders.has(lock)) holders.set(lock, session)
    }
    if (give !== undefined) expect(holders.get(give)).toBe(session)
    if (give !== undefined) holders.delete(give)
    moves += take.length + (give === undefined ? 0 : 1)
    return take.length + (give === undefined ? 0 : 1)
  }
  const round = (areAtOnce: boolean) => {
    const seen = areAtOnce ? claims() : undefined
    const made = [...wants.keys()].reduce((sum, session) => sum + look(session, seen), 0)
    for (const lock of new Set([...wants.values()].flatMap((locks) => [...locks])))
      freeRounds.set(lock, holders.has(lock) ? 0 : (freeRounds.get(lock) ?? 0) + 1)
    return made
  }
  /** Rounds until nothing moves any more. */
  const settle = (areAtOnce: boolean) => {
    for (let rounds = 0, quiet = 0; ; rounds++) {
      expect(rounds).toBeLessThan(300)
      quiet = round(areAtOnce) === 0 ? quiet + 1 : 0
      if (quiet > 4) return
    }
  }
  const leave = (session: number) => {
    wants.delete(session)
    for (const lock of locksOf(session)) holders.delete(lock)
  }
  const join = (session: number, locks: readonly number[]) => wants.set(session, new Set(locks.map(BigInt)))
  return { settle, leave, join, wants, holders, locksOf, moves: () => moves }
}

const someLocks = fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 12 })
const changes = fc.array(fc.record({ session: fc.integer({ min: 0, max: 5 }), locks: someLocks }), { maxLength: 6 })

describe('the shares of locks', () => {
  it('leave no lock that somebody wants without a holder, whoever wants what, comes and goes', () => {
    fc.assert(
      fc.property(
        fc.array(someLocks, { minLength: 1, maxLength: 5 }),
        changes,
        fc.boolean(),
        (first, later, atOnce) => {
          const { settle, leave, join, wants, holders } = town(first)
          const isComplete = () => {
            settle(atOnce)
            const wanted = new Set([...wants.values()].flatMap((locks) => [...locks]))
            expect([...holders.keys()].toSorted()).toEqual([...wanted].toSorted())
          }
          isComplete()
          for (const { session, locks } of later) {
            if (wants.has(session)) leave(session)
            else join(session, locks)
            isComplete()
          }
        },
      ),
      { numRuns: 100 },
    )
  })

  it('are even among processes that want the same, to one lock', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 6 }),
        fc.boolean(),
        (count, size, atOnce) => {
          const locks = Array.from({ length: count }, (_, index) => index + 1)
          const { settle, join, locksOf, wants } = town([locks])
          settle(atOnce)
          for (let session = 1; session < size; session++) join(session, locks)
          settle(atOnce)
          const share = Math.ceil(count / size)
          for (const session of wants.keys()) expect(locksOf(session).size).toBeLessThanOrEqual(share)
        },
      ),
      { numRuns: 40 },
    )
  })

  it('move no more locks than it takes', () => {
    const locks = Array.from({ length: 40 }, (_, index) => index + 1)
    const { settle, join, moves } = town([locks])
    settle(false)
    expect(moves()).toBe(40)
    join(1, locks)
    settle(false)
    expect(moves()).toBe(40 + 2 * 20)
  })

  it('are of one generation: neither counts the other, and nothing goes from one to the other', () => {
    const of = (session: number, lock: bigint, generation: number) =>
      ({ session, lock, kind: 'wants', generation }) satisfies LockClaim
    const claims: LockClaim[] = [
      ...[1n, 2n].flatMap((lock) => [of(1, lock, 1), of(2, lock, 2)]),
      ...[1n, 2n].map((lock) => ({ session: 1, lock, kind: 'holds' as const })),
    ]
    const view = { claims, movable: new Set([1n, 2n]), abandoned: new Set<bigint>() }
    expect(nextMoves({ ...view, mine: 1 })).toEqual({ take: [], give: undefined })
    const free = claims.filter(({ kind }) => kind === 'wants')
    expect(nextMoves({ ...view, claims: free, mine: 2 }).take).toEqual([1n, 2n])
  })

  it('count nothing but what processes compete for: other locks are their own business', () => {
    const claims: LockClaim[] = [
      { session: 1, lock: 1n, kind: 'wants' },
      { session: 1, lock: 7n, kind: 'holds' },
    ]
    const view = { mine: 1, claims, movable: new Set<bigint>(), abandoned: new Set<bigint>() }
    expect(nextMoves(view)).toEqual({ take: [1n], give: undefined })
  })
})
