import { Histogram, type Registry } from 'prom-client'
import { StoreUnavailable } from '../async/reachability.ts'
import { traced } from '../observability/tracing.ts'
import { categoryOf } from './category.ts'
import { type AppendResult, type EventStore, InvalidAppend, type Position } from './port.ts'

export interface MeasuredStore extends EventStore {
  lastAppended(): Position | undefined
}

const bucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const outcomeOf = (result: AppendResult) => (result.ok ? (result.repeated ? 'repeated' : 'stored') : 'conflict')

const failureOf = (error: unknown) => {
  if (error instanceof StoreUnavailable) return 'unavailable'
  return error instanceof InvalidAppend ? 'invalid' : 'failed'
}

export const measuredStore = (store: EventStore, registry: Registry): MeasuredStore => {
  const durations = new Histogram({
    name: 'prosa_event_store_append_duration_seconds',
    help: 'How long appends take, waiting for their shared commit included, by outcome.',
    labelNames: ['outcome'] as const,
    buckets: bucketsSeconds,
    registers: [registry],
  })
  const sizes = new Histogram({
    name: 'prosa_event_store_append_events',
    help: 'Events in each append that was stored.',
    buckets: [1, 2, 5, 10, 50, 200],
    registers: [registry],
  })
  let last: Position | undefined

  return {
    read: (stream, options) => store.read(stream, options),
    readMany: (streams, upTo) => store.readMany(streams, upTo),
    readBack: (stream) => store.readBack(stream),
    readAll: (after, filter) => store.readAll(after, filter),
    readWhole: (after) => store.readWhole(after),
    subscribe: (after, filter, signal) => store.subscribe(after, filter, signal),
    isUnchanged: (stream, since) => store.isUnchanged(stream, since),
    metrics: () => store.metrics?.() ?? [],
    close: () => store.close(),
    lastAppended: () => last,
    async append(stream, expected, events) {
      const stop = durations.startTimer()
      try {
        const about = { 'prosa.category': categoryOf(stream), 'prosa.events': events.length }
        const correlation = events[0]?.metadata.correlationId
        const result = await traced('append', about, () => store.append(stream, expected, events), correlation)
        stop({ outcome: outcomeOf(result) })
        if (!result.ok) return result
        if (last === undefined || result.position > last) last = result.position
        if (!result.repeated) sizes.observe(events.length)
        return result
      } catch (error) {
        stop({ outcome: failureOf(error) })
        throw error
      }
    },
  }
}
