import type { Metric } from '../../observability/metric.ts'
import type { AppendRequest } from '../append-request.ts'

export interface CommitMetrics {
  made(requests: readonly AppendRequest[]): void
  failed(): void
  metrics(): Metric[]
}

/** Appends divided by commits shows the effect of the group commit. */
export const commitMetrics = (): CommitMetrics => {
  let [commits, appends, events, failures] = [0, 0, 0, 0]
  const counter = (name: Metric['name'], help: string, value: number): Metric => ({
    name,
    help,
    kind: 'counter',
    value,
  })
  return {
    made(requests) {
      commits += 1
      appends += requests.length
      for (const request of requests) events += request.events.length
    },
    failed() {
      failures += 1
    },
    metrics: () => [
      counter('prosa_event_store_commits_total', 'Batches of appends that were committed together.', commits),
      counter(
        'prosa_event_store_committed_appends_total',
        'Appends in those batches, conflicts and repetitions included.',
        appends,
      ),
      counter('prosa_event_store_committed_events_total', 'Events in those appends.', events),
      counter(
        'prosa_event_store_commits_failed_total',
        'Batches that failed; they are halved, or their appends fail.',
        failures,
      ),
    ],
  }
}
