import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Logger } from './log.ts'
import type { Metric, MetricSource } from './metric.ts'

export interface Metrics {
  registry: Registry
  contentType: string
  /** A failing source is omitted and counted. */
  text(): Promise<string>
}

/** Shared by all hosts of a process. */
let ofProcess: Registry | undefined
const processMetrics = (): Registry => {
  if (ofProcess === undefined) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess })
  }
  return ofProcess
}

/** `sources` may grow during the start. */
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
      // Unlabelled metrics that were not reported would read 0: they are removed below.
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
