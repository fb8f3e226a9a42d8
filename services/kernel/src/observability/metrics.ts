import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Logger } from '../log.ts'
import type { Figure, FigureSource } from './figure.ts'

export interface Metrics {
  /** For what is counted as it happens. */
  registry: Registry
  contentType: string
  /** Everything in Prometheus's text format, as it is now. A source that fails is left out and counted. */
  text(): Promise<string>
}

/** Event loop, memory, garbage, handles: of the process, whichever host asks; under the names that Node dashboards know. */
let ofProcess: Registry | undefined
const processMetrics = (): Registry => {
  if (ofProcess === undefined) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess })
  }
  return ofProcess
}

/** The figures of one host. `sources` may grow while it starts. */
export const hostMetrics = (sources: readonly FigureSource[], log: Logger): Metrics => {
  const registry = new Registry()
  const failures = new Counter({
    name: 'prosa_metrics_sources_failed_total',
    help: 'Times that a source of figures could not be read, such as the database.',
    registers: [registry],
  })
  const shown = new Map<string, Gauge | Counter>()

  const metricFor = ({ name, help, kind, labels = {} }: Figure): Gauge | Counter => {
    const known = shown.get(name)
    if (known) return known
    const settings = { name, help, labelNames: Object.keys(labels), registers: [registry] }
    const made = kind === 'gauge' ? new Gauge(settings) : new Counter(settings)
    shown.set(name, made)
    return made
  }

  const read = async (source: FigureSource): Promise<readonly Figure[]> => {
    try {
      return await source()
    } catch (error) {
      failures.inc()
      log.debug({ err: error }, 'figures left out')
      return []
    }
  }

  return {
    registry,
    contentType: registry.contentType,
    async text() {
      const figures = (await Promise.all(sources.map(read))).flat()
      for (const metric of shown.values()) metric.reset()
      // What has labels and no figures is gone; what has none would go on as a 0 that nobody measured.
      for (const figure of figures) metricFor(figure).inc(figure.labels ?? {}, figure.value)
      const named = new Set(figures.map(({ name }) => name as string))
      for (const [name] of shown) {
        if (named.has(name)) continue
        registry.removeSingleMetric(name)
        shown.delete(name)
      }
      return (await Promise.all([registry, processMetrics()].map((each) => each.metrics()))).join('\n')
    },
  }
}
