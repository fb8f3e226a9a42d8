/** One number that a service tells when it is asked, as Prometheus names such things: with its unit, totals ending in `_total`. */
export interface Figure {
  name: `prosa_${string}`
  help: string
  /** A counter only grows while the process lives. */
  kind: 'gauge' | 'counter'
  value: number
  /** Ids of few things, such as the names of our own workers: every other value costs memory here and in Prometheus for ever. */
  labels?: Readonly<Record<string, string>>
}

/** Asked with every scrape; what needs the database must give up within 2 seconds. */
export type FigureSource = () => readonly Figure[] | Promise<readonly Figure[]>
