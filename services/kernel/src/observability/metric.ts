/** Follows Prometheus's conventions: with unit, totals end in `_total`. */
export interface Metric {
  name: `prosa_${string}`
  help: string
  kind: 'gauge' | 'counter'
  value: number
  /** Few values: each costs memory permanently, also in Prometheus. */
  labels?: Readonly<Record<string, string>>
}

/** Must give up within 2 seconds. */
export type MetricSource = () => readonly Metric[] | Promise<readonly Metric[]>
