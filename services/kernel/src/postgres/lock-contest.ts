import { wakeSignal } from '../async/wake-signal.ts'
import { joinLockSessions, type LockSession, lockNumber } from './lock-session.ts'
import { nextMoves } from './lock-shares.ts'

/** Between two looks while another process may take or free a lock. */
const lookMs = 500
/** Longer than a handover usually takes. */
const abandonedMs = 2000
/** Per silence, while this process has all that it wants and nobody else wants it. */
const quietLooks = 3

export interface HeldLock {
  session: LockSession
  /** Aborts when the lock shall go to another process. */
  handover: AbortSignal
  release(): Promise<void>
}

export interface LockClaimant {
  name: string
  /** False while its work had better stay here. */
  isMovable: () => boolean
  /** While it waits for the lock. */
  onTrouble: (error: unknown) => void
}

export interface LockPlace {
  /** Undefined once the signal has aborted. */
  acquire(signal: AbortSignal): Promise<HeldLock | undefined>
  /** Others' shares grow at once, also before the lock is released. */
  withdraw(): void
  leave(): Promise<void>
}

interface Place extends LockClaimant {
  lock: bigint
  isWithdrawn: boolean
  grant?: (session: LockSession) => void
  held?: AbortController
}

interface Contest {
  places: Set<Place>
  wake(): void
  ended: Promise<void>
}

const contests = new Map<string, Contest>()

/** Takes and gives the locks of one process, so that each process has its share of them: decision 0069. */
const openContest = (url: string, silenceMs: number): Contest => {
  const places = new Set<Place>()
  const waking = wakeSignal()
  const sessions = joinLockSessions(url, silenceMs)
  const never = new AbortController().signal
  const freeSince = new Map<bigint, number>()

  const abandonedLocks = (wanted: ReadonlySet<bigint>, held: ReadonlySet<bigint>): Set<bigint> => {
    const now = performance.now()
    for (const lock of wanted) if (held.has(lock)) freeSince.delete(lock)
    for (const lock of wanted) if (!held.has(lock) && !freeSince.has(lock)) freeSince.set(lock, now)
    return new Set([...freeSince].flatMap(([lock, since]) => (now - since >= abandonedMs ? lock : [])))
  }

  const take = async (session: LockSession, lock: bigint) => {
    const place = [...places].find((each) => each.lock === lock && each.grant)
    if (!place || !(await session.take(place.name))) return
    // It may have left meanwhile.
    if (place.grant) place.grant(session)
    else await session.give(place.name)
  }

  /** True when nothing is left to be done before something changes here. */
  const look = async (): Promise<boolean> => {
    const session = await sessions.current()
    const staying = [...places].filter(({ isWithdrawn }) => !isWithdrawn)
    const wanted = new Set(staying.map(({ lock }) => lock))
    const { mine, claims } = await session.survey(wanted)
    const holders = new Map(claims.flatMap(({ lock, session: of, kind }) => (kind === 'holds' ? [[lock, of]] : [])))
    const holding = staying.filter(({ held }) => held)
    const isMoving = holding.some(({ held }) => held?.signal.aborted)
    const movable = isMoving ? [] : holding.filter(({ isMovable }) => isMovable())
    const abandoned = abandonedLocks(wanted, new Set(holders.keys()))
    const moves = nextMoves({ mine, claims, movable: new Set(movable.map(({ lock }) => lock)), abandoned })
    for (const lock of moves.take) await take(session, lock)
    for (const { lock, held } of holding) if (lock === moves.give) held?.abort(new Error('goes to another process'))
    const isShared = claims.some(({ lock, session: of }) => of !== mine && wanted.has(lock))
    return !isShared && staying.every(({ held }) => held)
  }

  const run = async () => {
    while (places.size > 0) {
      let isQuiet = false
      try {
        isQuiet = await look()
      } catch (error) {
        for (const { grant, onTrouble } of places) if (grant) onTrouble(error)
      }
      if (places.size > 0) await waking.wait(isQuiet ? silenceMs / quietLooks : lookMs, never)
    }
    await sessions.leave()
  }

  // The first place comes in the same turn.
  return { places, wake: waking.wake, ended: Promise.resolve().then(run) }
}

/** A place among those in this process and others who want the lock. */
export const contendFor = (url: string, silenceMs: number, claimant: LockClaimant): LockPlace => {
  const key = `${silenceMs} ${url}`
  const contest = contests.get(key) ?? openContest(url, silenceMs)
  contests.set(key, contest)
  const place: Place = { ...claimant, lock: lockNumber(claimant.name), isWithdrawn: false }
  contest.places.add(place)
  contest.wake()

  const hold = (session: LockSession): HeldLock => {
    const held = new AbortController()
    place.held = held
    return {
      session,
      handover: held.signal,
      async release() {
        await session.give(place.name)
        delete place.held
        contest.wake()
      },
    }
  }

  return {
    acquire: (signal) =>
      new Promise((resolve) => {
        const settle = (held?: HeldLock) => {
          delete place.grant
          signal.removeEventListener('abort', stop)
          resolve(held)
        }
        const stop = () => settle()
        if (signal.aborted) return resolve(undefined)
        place.grant = (session) => settle(hold(session))
        signal.addEventListener('abort', stop)
        contest.wake()
      }),
    withdraw() {
      place.isWithdrawn = true
      contest.wake()
    },
    async leave() {
      contest.places.delete(place)
      contest.wake()
      if (contest.places.size > 0) return
      if (contests.get(key) === contest) contests.delete(key)
      await contest.ended
    },
  }
}
