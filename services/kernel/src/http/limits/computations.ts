import type { FastifyReply, FastifyRequest } from 'fastify'
import { concurrencyLimit } from '../../async/concurrency-limit.ts'
import { type TimeSlice, timeSlice } from '../../async/time-slice.ts'
import type { Turns } from '../../async/turns.ts'
import type { Metric } from '../../observability/metric.ts'
import { Refused, refuse } from '../problem.ts'

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

export const computations = ({ turns, stopwatch }: ComputationsOptions): Computations => {
  const refusal = () => new Refused('too_many_computations', undefined, retryAfterSeconds)
  const limit = concurrencyLimit({
    atOnce,
    atOncePerKey: atOnceOfUser,
    waiting: { max: maxWaiting, ms: maxWaitMs, refusal },
  })
  const ending = new Set<AbortController>()
  let isStopped = false

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
        signal.throwIfAborted()
        if (limit.waitingOf(user) >= maxWaitingOfUser) throw refusal()
        const compute = async () => {
          await turns.next(user, signal)
          request.slice = timeSlice({
            turns,
            whose: user,
            signal,
            tooLong: () => refuse('computation_too_long'),
            ...(stopwatch && { stopwatch }),
          })
          return await work()
        }
        return await limit.run(compute, { key: user, signal })
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
        value: limit.running(),
      },
      {
        name: 'prosa_computations_waiting',
        help: 'Requests that wait until there is room for what they compute.',
        kind: 'gauge',
        value: limit.waiting(),
      },
    ],
  }
}
