/** One number that a service reports when it is asked, named as Prometheus asks: with its unit, totals ending in `_total`. */
export interface Metric {
  name: `prosa_${string}`
  help: string
  /** A counter only grows while the process lives. */
  kind: 'gauge' | 'counter'
  value: number
  /** Ids of few things, such as the names of our own workers: every other value costs memory here and in Prometheus for ever. */
  labels?: Readonly<Record<string, string>>
}

/** Asked with every scrape; what needs the database must give up within 2 seconds. */
export type MetricSource = () => readonly Metric[] | Promise<readonly Metric[]>
