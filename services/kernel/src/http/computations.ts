import type { FastifyReply, FastifyRequest } from 'fastify'
import { fairQueue } from '../async/fair-queue.ts'
import { type TimeSlice, timeSlice } from '../async/time-slice.ts'
import type { Turns } from '../async/turns.ts'
import type { Metric } from '../observability/metric.ts'
import { Refused, refuse } from './problem.ts'

/** Each computation holds its data in memory. */
const atOnce = 4
const atOnceOfUser = 1
const maxWaiting = 60
const maxWaitingOfUser = 10
const maxWaitMs = 20_000
const retryAfterSeconds = 5

declare module 'fastify' {
  interface FastifyInstance {
    turns: Turns
    computations: Computations
  }
  interface FastifyRequest {
    slice: TimeSlice
  }
}

export interface Computations {
  /** Refused when the queue is full, the budget is used up, or client or process leaves. */
  run<T>(request: FastifyRequest, reply: FastifyReply, work: () => T | Promise<T>): Promise<T>
  /** Running work ends at its next turn, having stored nothing. */
  stop(): void
  metrics(): readonly Metric[]
}

interface ComputationsOptions {
  turns: Turns
  stopwatch?: (() => number) | undefined
}

interface Waiting {
  begin(): void
  leave(): void
}

export const computations = ({ turns, stopwatch }: ComputationsOptions): Computations => {
  const queue = fairQueue<Waiting>()
  const runningOf = new Map<string, number>()
  const ending = new Set<AbortController>()
  let running = 0
  let isStopped = false

  const mayRun = (user: string) => running < atOnce && (runningOf.get(user) ?? 0) < atOnceOfUser
  const change = (user: string, by: 1 | -1) => {
    running += by
    const count = (runningOf.get(user) ?? 0) + by
    if (count === 0) runningOf.delete(user)
    else runningOf.set(user, count)
  }

  const room = (user: string, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const refused = () => new Refused('too_many_computations', undefined, retryAfterSeconds)
      if (queue.sizeOf(user) >= maxWaitingOfUser) return reject(refused())
      // A few users must not block others.
      if (queue.size() >= maxWaiting && queue.sizeOf(user) === 0) queue.crowding()?.leave()
      if (queue.size() >= maxWaiting) return reject(refused())
      const leave = () => {
        queue.remove(user, item)
        clearTimeout(late)
        signal.removeEventListener('abort', leave)
        reject(signal.aborted ? signal.reason : refused())
      }
      const begin = () => {
        clearTimeout(late)
        signal.removeEventListener('abort', leave)
        change(user, 1)
        resolve()
      }
      const item: Waiting = { begin, leave }
      const late = setTimeout(leave, maxWaitMs)
      signal.addEventListener('abort', leave, { once: true })
      queue.push(user, item)
    })

  const serve = () => {
    while (running < atOnce) {
      const next = queue.take(mayRun)
      if (!next) return
      next.begin()
    }
  }

  return {
    async run(request, reply, work) {
      const user = request.user.id
      const ended = new AbortController()
      const { signal } = ended
      const end = () => ended.abort(refuse('computation_stopped'))
      ending.add(ended)
      reply.raw.once('close', end)
      if (isStopped) end()
      try {
        if (signal.aborted) throw signal.reason
        const granted = room(user, signal)
        serve()
        await granted
        try {
          await turns.next(user, signal)
          request.slice = timeSlice({
            turns,
            whose: user,
            signal,
            tooLong: () => refuse('computation_too_long'),
            ...(stopwatch && { stopwatch }),
          })
          return await work()
        } finally {
          change(user, -1)
          serve()
        }
      } finally {
        reply.raw.off('close', end)
        ending.delete(ended)
      }
    },
    stop() {
      isStopped = true
      for (const each of ending) each.abort(refuse('computation_stopped'))
    },
    metrics: () => [
      {
        name: 'prosa_computations_running',
        help: 'Requests that compute at length now: tests, replays, checks, previews, imports of flows.',
        kind: 'gauge',
        value: running,
      },
      {
        name: 'prosa_computations_waiting',
        help: 'Requests that wait until there is room for what they compute.',
        kind: 'gauge',
        value: queue.size(),
      },
    ],
  }
}
