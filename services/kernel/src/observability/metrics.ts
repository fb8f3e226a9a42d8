import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Logger } from './log.ts'
import type { Metric, MetricSource } from './metric.ts'

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

/** The metrics of one host. `sources` may grow while it starts. */
export const hostMetrics = (sources: readonly MetricSource[], log: Logger): Metrics => {
  const registry = new Registry()
  const failures = new Counter({
    name: 'prosa_metrics_sources_failed_total',
    help: 'Times that a source of metrics could not be read, such as the database.',
    registers: [registry],
  })
  const shown = new Map<string, Gauge | Counter>()

  const metricFor = ({ name, help, kind, labels = {} }: Metric): Gauge | Counter => {
    const known = shown.get(name)
    if (known) return known
    const settings = { name, help, labelNames: Object.keys(labels), registers: [registry] }
    const made = kind === 'gauge' ? new Gauge(settings) : new Counter(settings)
    shown.set(name, made)
    return made
  }

  const readSource = async (source: MetricSource): Promise<readonly Metric[]> => {
    try {
      return await source()
    } catch (error) {
      failures.inc()
      log.debug({ err: error }, 'metrics left out')
      return []
    }
  }

  return {
    registry,
    contentType: registry.contentType,
    async text() {
      const read = (await Promise.all(sources.map(readSource))).flat()
      for (const metric of shown.values()) metric.reset()
      // A labelled metric that nobody reported any more is gone; one without labels would stay as a 0 that nobody measured.
      for (const metric of read) metricFor(metric).inc(metric.labels ?? {}, metric.value)
      const named = new Set(read.map(({ name }) => name as string))
      for (const [name] of shown) {
        if (named.has(name)) continue
        registry.removeSingleMetric(name)
        shown.delete(name)
      }
      return (await Promise.all([registry, processMetrics()].map((each) => each.metrics()))).join('\n')
    },
  }
}
