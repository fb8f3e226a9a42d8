import type { Metric } from '../../observability/metric.ts'
import type { ConsumerState, ReportedStatus } from '../engine/consumer-status.ts'

const states: readonly ConsumerState[] = ['waiting', 'rebuilding', 'catching up', 'following', 'interrupted', 'stopped']

/** Projections that run in another process report only their state. */
export const projectionMetrics = (reported: readonly ReportedStatus[]): Metric[] =>
  reported.flatMap(({ name: projection, state, lag, lagSeconds, progress, batches, events }) => {
    const metric = (name: Metric['name'], kind: Metric['kind'], help: string, value: number, labels = {}): Metric => ({
      name,
      kind,
      help,
      value,
      labels: { projection, ...labels },
    })
    const stateMetrics = states.map((each) =>
      metric('prosa_projection_state', 'gauge', '1 for the state that the projection is in.', Number(each === state), {
        state: each,
      }),
    )
    if (state === 'waiting') return stateMetrics
    const lagging = 'Events (EventStoreDB: bytes) between this projection and the furthest one of the process.'
    return [
      ...stateMetrics,
      metric('prosa_projection_lag_positions', 'gauge', lagging, lag),
      ...(lagSeconds === undefined
        ? []
        : [
            metric(
              'prosa_projection_lag_seconds',
              'gauge',
              'How long it has not stood at the end of the log.',
              lagSeconds,
            ),
          ]),
      metric('prosa_projection_batches_total', 'counter', 'Transactions that wrote its rows.', batches),
      metric('prosa_projection_events_total', 'counter', 'Events that went into its rows.', events),
      metric(
        'prosa_projection_rebuild_ratio',
        'gauge',
        'How much of the log a rebuild has gone through, from 0 to 1; 1 when none is under way.',
        progress && progress.total > 0 ? progress.done / progress.total : 1,
      ),
    ]
  })
