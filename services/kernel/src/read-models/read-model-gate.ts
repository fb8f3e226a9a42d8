import type { Pool } from 'pg'
import type { Position } from '../event-store/port.ts'
import { listen } from '../postgres/pool.ts'
import { allCheckpoints, checkpointChannel } from './checkpoints.ts'

/** Knows how far each read model has got, so that a reader can wait for its own write. */
export interface ReadModelGate {
  /** True as soon as all of them show everything up to the position; false when the time is over first. */
  reached(readModels: readonly string[], position: Position, timeoutMilliseconds: number): Promise<boolean>
  /** How far one read model is known to be. */
  position(readModel: string): Position | undefined
}

interface Waiter {
  readModels: readonly string[]
  position: Position
  done: (reached: boolean) => void
}

const pollMilliseconds = 1000

/** Follows the checkpoints by LISTEN with a safety poll, until the signal aborts. */
export const readModelGate = (
  pool: Pool,
  url: string,
  signal: AbortSignal,
  onTrouble: (error: unknown) => void,
): ReadModelGate => {
  const positions = new Map<string, Position>()
  const waiters = new Set<Waiter>()

  const shown = ({ readModels, position }: Pick<Waiter, 'readModels' | 'position'>) =>
    readModels.every((name) => (positions.get(name) ?? '') >= position)

  const advance = (name: string, position: Position) => {
    positions.set(name, position)
    for (const waiter of waiters) if (waiter.readModels.includes(name) && shown(waiter)) waiter.done(true)
  }

  const readAgain = () =>
    allCheckpoints(pool).then((found) => {
      for (const [name, position] of found) advance(name, position)
    }, onTrouble)

  listen(
    url,
    checkpointChannel,
    (payload) => {
      const space = payload?.lastIndexOf(' ') ?? -1
      if (payload && space > 0) advance(payload.slice(0, space), payload.slice(space + 1) as Position)
      else void readAgain()
    },
    signal,
  )
  const poll = setInterval(() => void readAgain(), pollMilliseconds)
  signal.addEventListener('abort', () => clearInterval(poll), { once: true })
  void readAgain()

  return {
    position: (name) => positions.get(name),
    reached(readModels, position, timeoutMilliseconds) {
      if (shown({ readModels, position })) return Promise.resolve(true)
      return new Promise((resolve) => {
        const timer = setTimeout(() => waiter.done(false), timeoutMilliseconds)
        const waiter: Waiter = {
          readModels,
          position,
          done(reached) {
            clearTimeout(timer)
            waiters.delete(waiter)
            resolve(reached)
          },
        }
        waiters.add(waiter)
      })
    },
  }
}
