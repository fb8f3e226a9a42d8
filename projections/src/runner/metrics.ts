import type { Figure } from '@prosa/kernel/observability/figure'
import type { ProjectionState, ReportedFigure } from './figures.ts'

const states: readonly ProjectionState[] = [
  'waiting',
  'rebuilding',
  'catching up',
  'following',
  'interrupted',
  'stopped',
]

/** What each projection of this process is doing, for Prometheus. Those that another process keeps tell their state alone. */
export const projectionMetrics = (reported: readonly ReportedFigure[]): Figure[] =>
  reported.flatMap(({ name: projection, state, lag, lagSeconds, progress, batches, events }) => {
    const figure = (name: Figure['name'], kind: Figure['kind'], help: string, value: number, labels = {}): Figure => ({
      name,
      kind,
      help,
      value,
      labels: { projection, ...labels },
    })
    const stateFigures = states.map((each) =>
      figure('prosa_projection_state', 'gauge', '1 for the state that the projection is in.', Number(each === state), {
        state: each,
      }),
    )
    if (state === 'waiting') return stateFigures
    const lagging = 'Events (EventStoreDB: bytes) between this projection and the furthest one of the process.'
    return [
      ...stateFigures,
      figure('prosa_projection_lag_positions', 'gauge', lagging, lag),
      ...(lagSeconds === undefined
        ? []
        : [
            figure(
              'prosa_projection_lag_seconds',
              'gauge',
              'How long it has not stood at the end of the log.',
              lagSeconds,
            ),
          ]),
      figure('prosa_projection_batches_total', 'counter', 'Transactions that wrote its rows.', batches),
      figure('prosa_projection_events_total', 'counter', 'Events that went into its rows.', events),
      figure(
        'prosa_projection_rebuild_ratio',
        'gauge',
        'How much of the log a rebuild has gone through, from 0 to 1; 1 when none is under way.',
        progress && progress.total > 0 ? progress.done / progress.total : 1,
      ),
    ]
  })
