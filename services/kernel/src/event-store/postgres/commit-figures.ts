import type { Figure } from '../../observability/figure.ts'
import type { AppendRequest } from '../append-request.ts'

export interface CommitFigures {
  made(requests: readonly AppendRequest[]): void
  failed(): void
  figures(): Figure[]
}

/** Counts shared commits and what they held: appends by commits tells how well writers are folded together. */
export const commitFigures = (): CommitFigures => {
  let [commits, appends, events, failures] = [0, 0, 0, 0]
  const counter = (name: Figure['name'], help: string, value: number): Figure => ({
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
    figures: () => [
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
