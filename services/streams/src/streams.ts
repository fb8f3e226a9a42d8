import type { Category } from '@prosa/contracts/streams'
import {
  type ConsumerStatuses,
  type ReportedStatus,
  reportStatuses,
} from '@prosa/kernel/consumers/engine/consumer-status'
import { identityOf } from '@prosa/kernel/event-store/identity/recognize-log'
import type { Metric } from '@prosa/kernel/observability/metric'
import type { Ports, Service } from '@prosa/product/ports'
import type { PublishEvents } from '@prosa/product/publishing/publish-events'
import { publishTopic } from './publish-topic.ts'
import type { Publisher } from './publisher/port.ts'

export interface Publishing {
  publisher: (ports: Ports) => Publisher
  publish: (ports: Ports) => PublishEvents
  prefix: string
  /** A topic each. */
  categories: readonly Category[]
  pauseMs?: (failures: number) => number
}

/** Of topics that this process writes. */
const streamMetrics = (reported: readonly ReportedStatus[]): Metric[] =>
  reported.flatMap(({ name: topic, state, lag, lagSeconds, events }) => {
    if (state === 'waiting') return []
    const metric = (name: Metric['name'], kind: Metric['kind'], help: string, value: number): Metric => ({
      ...{ name, kind, help, value },
      labels: { topic },
    })
    const isInterrupted = Number(state === 'interrupted')
    const lagging = 'Events (EventStoreDB: bytes) between this topic and the furthest one of the process.'
    return [
      metric('prosa_stream_interrupted', 'gauge', '1 while nothing can be written to the topic.', isInterrupted),
      metric('prosa_stream_lag_positions', 'gauge', lagging, lag),
      ...(lagSeconds === undefined
        ? []
        : [metric('prosa_stream_lag_seconds', 'gauge', 'How long the topic has not had every event.', lagSeconds)]),
      metric('prosa_stream_events_total', 'counter', 'Events that were read for the topic.', events),
    ]
  })

/** Undefined: nothing is published. */
export const streams = (publishing: Publishing | undefined): Service => ({
  name: 'streams',
  async mount(ports) {
    if (!publishing) return {}
    const { prefix, categories, pauseMs } = publishing
    const statuses: ConsumerStatuses = new Map()
    const deps = {
      ...ports,
      publisher: publishing.publisher(ports),
      publish: publishing.publish(ports),
      ...{ prefix, pauseMs },
      logId: (await identityOf(ports.store))?.logId,
    }
    return {
      metrics: () => streamMetrics(reportStatuses(statuses, ports.clock)),
      health: () =>
        Object.fromEntries(
          [...statuses].flatMap(([topic, { state, trouble, position }]) =>
            trouble ? [[`stream ${topic}`, { state, ...trouble, position }]] : [],
          ),
        ),
      async run(signal) {
        await Promise.all(categories.map((category) => publishTopic(category, deps, signal, statuses)))
      },
    }
  },
})
