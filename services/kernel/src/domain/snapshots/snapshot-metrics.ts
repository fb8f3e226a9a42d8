import type { Metric } from '../../observability/metric.ts'

export interface SnapshotCounts {
  written: number
  failed: number
  dropped: number
  discarded: number
  failing: number
}

export const snapshotMetrics = (
  { written, failed, dropped, discarded, failing }: SnapshotCounts,
  waiting: number,
): Metric[] => [
  {
    name: 'prosa_snapshots_written_total',
    help: 'States that were saved beside the log.',
    kind: 'counter',
    value: written,
  },
  {
    name: 'prosa_snapshots_failed_total',
    help: 'States that could not be saved: their streams are folded from an earlier one.',
    kind: 'counter',
    value: failed + dropped,
  },
  {
    name: 'prosa_snapshots_discarded_total',
    help: 'Saved states that could not be read, and were thrown away.',
    kind: 'counter',
    value: discarded,
  },
  {
    name: 'prosa_snapshots_failing',
    help: 'States whose last save failed: they are tried again with growing pauses.',
    kind: 'gauge',
    value: failing,
  },
  {
    name: 'prosa_snapshots_waiting',
    help: 'States that wait to be saved.',
    kind: 'gauge',
    value: waiting,
  },
]
