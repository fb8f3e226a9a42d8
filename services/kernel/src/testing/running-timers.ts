import { randomUUID } from 'node:crypto'
import type { ConsumerStatuses } from '../consumers/engine/consumer-status.ts'
import type { ReactorDeps } from '../consumers/reactors/run-reactor.ts'
import { fireTimers } from '../consumers/timers/fire-timers.ts'
import { foldTimers } from '../consumers/timers/fold-timers.ts'
import { cancel, contextForTimer, schedule, type Timer, type TimerKind } from '../consumers/timers/timer.ts'
import { commandHandler } from '../domain/command-handler.ts'
import type { Decider } from '../domain/decider.ts'

type Command = { type: 'Start'; data: { endsAt: string } } | { type: 'End'; data: { dueAt: string | null } }
type Event = { type: 'TrialStarted'; data: { endsAt: string } } | { type: 'TrialEnded'; data: Record<string, never> }

/** May restart after its end. */
const trial: Decider<Command, Event, { endsAt: string | null }, 'foreign'> = {
  initial: { endsAt: null },
  decide: {
    Start: (_, { endsAt }) => [{ type: 'TrialStarted', data: { endsAt } }],
    End: ({ endsAt }, { dueAt }) =>
      endsAt === null || (dueAt !== null && dueAt !== endsAt) ? [] : [{ type: 'TrialEnded', data: {} }],
  },
  evolve: {
    TrialStarted: (_, { endsAt }) => ({ endsAt }),
    TrialEnded: () => ({ endsAt: null }),
  },
}

export const trialsOf = (deps: Pick<ReactorDeps, 'store' | 'codec' | 'clock'>) => {
  const trials = commandHandler({
    ...deps,
    service: 'billing',
    category: 'subscription',
    decider: trial,
    foreign: 'foreign',
  })
  const person = () => ({
    commandId: randomUUID(),
    actor: { kind: 'user', id: 'test' } as const,
    tenant: 'tenant',
    causationId: 'test',
    correlationId: 'test',
  })
  return {
    start: (who: string, endsAt: string) => trials(who, { type: 'Start', data: { endsAt } }, person()),
    end: (who: string) => trials(who, { type: 'End', data: { dueAt: null } }, person()),
    endBy: async (timer: Timer) => {
      await trials(timer.key, { type: 'End', data: { dueAt: timer.dueAt } }, contextForTimer(timer))
    },
  }
}

export const trialTimers = (kind: string, fire: (timer: Timer) => Promise<void>, version = 1): TimerKind => ({
  kind,
  version,
  categories: ['subscription'],
  on: {
    TrialStarted: ({ stream, data }) => schedule(stream.slice('subscription-'.length), data.endsAt),
    TrialEnded: ({ stream }) => cancel(stream.slice('subscription-'.length)),
  },
  fire,
})

export const runningTimers = (timers: TimerKind, deps: ReactorDeps) => {
  const stopping = new AbortController()
  const statuses: ConsumerStatuses = new Map()
  const ended = Promise.all([
    foldTimers(timers, deps, stopping.signal, statuses),
    fireTimers([timers], deps, stopping.signal),
  ])
  return {
    statuses,
    async stop() {
      stopping.abort()
      await ended
    },
  }
}
