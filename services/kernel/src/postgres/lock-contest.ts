import { wakeSignal } from '../async/wake-signal.ts'
import { joinLockSessions, type LockSession, lockNumber } from './lock-session.ts'
import { nextMoves } from './lock-shares.ts'

/** Between two looks while another process may take or free a lock. */
const lookMs = 500
/** Longer than a handover usually takes. */
const abandonedMs = 2000
/** Per silence, while this process has all that it wants and nobody else wants it. */
const quietLooks = 3

export interface TakenLock {
  session: LockSession
  /** Aborts when the lock shall go to another process. */
  handover: AbortSignal
  release(): Promise<void>
}

export interface LockClaimant {
  name: string
  /** Processes share locks of the same generation: of another, the work would be another. */
  generation: number
  /** False while its work had better stay here. */
  isMovable: () => boolean
  /** While it waits for the lock. */
  onTrouble: (error: unknown) => void
}

export interface LockContender {
  /** Undefined once the signal has aborted. */
  acquire(signal: AbortSignal): Promise<TakenLock | undefined>
  /** Others' shares grow at once, also before the lock is released. */
  withdraw(): void
  leave(): Promise<void>
}

interface Contender extends LockClaimant {
  lock: bigint
  isWithdrawn: boolean
  grant?: (session: LockSession) => void
  taken?: AbortController
}

interface Contest {
  contenders: Set<Contender>
  wake(): void
  ended: Promise<void>
}

const contests = new Map<string, Contest>()

/** Takes and gives the locks of one process, so that each process has its share of them: decision 0069. */
const openContest = (url: string, silenceMs: number): Contest => {
  const contenders = new Set<Contender>()
  const waking = wakeSignal()
  const sessions = joinLockSessions(url, silenceMs)
  const never = new AbortController().signal
  const freeSince = new Map<bigint, number>()

  const abandonedLocks = (wanted: ReadonlyMap<bigint, number>, taken: ReadonlySet<bigint>): Set<bigint> => {
    const now = performance.now()
    for (const lock of wanted.keys()) if (taken.has(lock)) freeSince.delete(lock)
    for (const lock of wanted.keys()) if (!taken.has(lock) && !freeSince.has(lock)) freeSince.set(lock, now)
    return new Set([...freeSince].flatMap(([lock, since]) => (now - since >= abandonedMs ? lock : [])))
  }

  const take = async (session: LockSession, lock: bigint) => {
    const contender = [...contenders].find((each) => each.lock === lock && each.grant)
    if (!contender || !(await session.take(contender.name))) return
    // It may have left meanwhile.
    if (contender.grant) contender.grant(session)
    else await session.give(contender.name)
  }

  /** True when nothing is left to be done before something changes here. */
  const look = async (): Promise<boolean> => {
    const session = await sessions.current()
    const staying = [...contenders].filter(({ isWithdrawn }) => !isWithdrawn)
    const wanted = new Map(staying.map(({ lock, generation }) => [lock, generation]))
    const { mine, claims } = await session.survey(wanted)
    const holders = new Map(claims.flatMap(({ lock, session: of, kind }) => (kind === 'holds' ? [[lock, of]] : [])))
    const holding = staying.filter(({ taken }) => taken)
    const isMoving = holding.some(({ taken }) => taken?.signal.aborted)
    const movable = isMoving ? [] : holding.filter(({ isMovable }) => isMovable())
    const abandoned = abandonedLocks(wanted, new Set(holders.keys()))
    const moves = nextMoves({ mine, claims, movable: new Set(movable.map(({ lock }) => lock)), abandoned })
    for (const lock of moves.take) await take(session, lock)
    for (const { lock, taken } of holding) if (lock === moves.give) taken?.abort(new Error('goes to another process'))
    const isShared = claims.some(({ lock, session: of }) => of !== mine && wanted.has(lock))
    return !isShared && staying.every(({ taken }) => taken)
  }

  const run = async () => {
    while (contenders.size > 0) {
      let isQuiet = false
      try {
        isQuiet = await look()
      } catch (error) {
        for (const { grant, onTrouble } of contenders) if (grant) onTrouble(error)
      }
      if (contenders.size > 0) await waking.wait(isQuiet ? silenceMs / quietLooks : lookMs, never)
    }
    await sessions.leave()
  }

  // The first contender comes in the same turn.
  return { contenders, wake: waking.wake, ended: Promise.resolve().then(run) }
}

/** A contender among those in this process and others who want the lock. */
export const contendFor = (url: string, silenceMs: number, claimant: LockClaimant): LockContender => {
  const key = `${silenceMs} ${url}`
  const contest = contests.get(key) ?? openContest(url, silenceMs)
  contests.set(key, contest)
  const contender: Contender = { ...claimant, lock: lockNumber(claimant.name), isWithdrawn: false }
  contest.contenders.add(contender)
  contest.wake()

  const hold = (session: LockSession): TakenLock => {
    const taken = new AbortController()
    contender.taken = taken
    return {
      session,
      handover: taken.signal,
      async release() {
        await session.give(contender.name)
        delete contender.taken
        contest.wake()
      },
    }
  }

  return {
    acquire: (signal) =>
      new Promise((resolve) => {
        const settle = (taken?: TakenLock) => {
          delete contender.grant
          signal.removeEventListener('abort', stop)
          resolve(taken)
        }
        const stop = () => settle()
        if (signal.aborted) return resolve(undefined)
        contender.grant = (session) => settle(hold(session))
        signal.addEventListener('abort', stop)
        contest.wake()
      }),
    withdraw() {
      contender.isWithdrawn = true
      contest.wake()
    },
    async leave() {
      contest.contenders.delete(contender)
      contest.wake()
      if (contest.contenders.size > 0) return
      if (contests.get(key) === contest) contests.delete(key)
      await contest.ended
    },
  }
}
