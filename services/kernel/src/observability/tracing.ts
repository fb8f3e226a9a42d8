import { createHash } from 'node:crypto'
import {
  type Attributes,
  context,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { correlationId } from './correlation.ts'
import type { Logger } from './log.ts'

/** Names of our own parts and counts. Never ids, addresses or texts of anybody. */
type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** Undefined: off, and nothing below does anything. */
let tracer: Tracer | undefined
/** The SDK asks for an id while it starts a span without a parent. */
let nextTraceId = ''

/** 32 hexadecimal digits: the correlation id without its hyphens. */
export const traceIdOf = (id: string): string => {
  const digits = id.replaceAll('-', '').toLowerCase()
  return /^(?!0+$)[0-9a-f]{32}$/.test(digits) ? digits : createHash('sha256').update(id).digest('hex').slice(0, 32)
}

const start = (on: Tracer, name: string, attributes: SpanAttributes, correlation: string): Span => {
  nextTraceId = traceIdOf(correlation)
  const active = context.active()
  const isOfTrace = trace.getSpanContext(active)?.traceId === nextTraceId
  return on.startSpan(name, { attributes: attributes as Attributes }, isOfTrace ? active : ROOT_CONTEXT)
}

const fail = (span: Span, error: unknown): void => {
  // Messages of errors may quote what people wrote.
  span.setAttribute('error.type', error instanceof Error ? error.name : typeof error)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** A span around `work`, in the trace of its correlation id. Without tracing, or without an id, `work` alone. */
export const traced = <T>(
  name: string,
  attributes: SpanAttributes,
  work: () => Promise<T>,
  correlation = correlationId(),
): Promise<T> => {
  if (tracer === undefined || correlation === undefined) return work()
  const span = start(tracer, name, attributes, correlation)
  return context
    .with(trace.setSpan(ROOT_CONTEXT, span), work)
    .catch((error: unknown) => {
      fail(span, error)
      throw error
    })
    .finally(() => span.end())
}

export interface OpenSpan {
  end(attributes: SpanAttributes, isFailed: boolean): void
}

/** The same where begin and end are callbacks: `enter` runs inside the span. Undefined without tracing. */
export const beginSpan = (
  name: string,
  attributes: SpanAttributes,
  correlation: string,
  enter: () => void,
): OpenSpan | undefined => {
  if (tracer === undefined) {
    enter()
    return undefined
  }
  const span = start(tracer, name, attributes, correlation)
  context.with(trace.setSpan(ROOT_CONTEXT, span), enter)
  return {
    end(more, isFailed) {
      span.setAttributes(more as Attributes)
      if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
  }
}

export interface TracingSettings {
  /** Of an OTLP collector, e.g. `http://127.0.0.1:4318`. */
  endpoint: string
  /** Share of traces that are kept, whole: 0 to 1. */
  ratio: number
}

export interface Tracing {
  /** Sends what is left, for two seconds at most. */
  stop(): Promise<void>
}

const flushMs = 2000
const complaintMs = 60_000

/**
 * Loads the SDK and sends spans to `<endpoint>/v1/traces` (OTLP over HTTP, JSON). Without settings nothing is loaded. The SDK reads
 * headers and resource from OpenTelemetry's variables. A collector that is away costs spans and a line in the log a minute.
 */
export const startTracing = async (settings: TracingSettings | undefined, log: Logger): Promise<Tracing> => {
  if (settings === undefined) return { stop: async () => undefined }
  const { ratio } = settings
  const url = `${settings.endpoint.replace(/\/$/, '')}/v1/traces`
  const { BatchSpanProcessor, ParentBasedSampler, RandomIdGenerator, TraceIdRatioBasedSampler, TracerProvider } =
    await import('@opentelemetry/sdk-trace')
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
  const { AsyncLocalStorageContextManager } = await import('@opentelemetry/context-async-hooks')
  const { detectResources, envDetector, resourceFromAttributes } = await import('@opentelemetry/resources')
  const { diag, DiagLogLevel } = await import('@opentelemetry/api')
  let complainedAt = Number.NEGATIVE_INFINITY
  const complain = () => {
    if (performance.now() - complainedAt < complaintMs) return
    complainedAt = performance.now()
    log.warn('traces could not be sent to OTEL_EXPORTER_OTLP_ENDPOINT')
  }
  const ignore = () => undefined
  diag.setLogger(
    { error: complain, warn: ignore, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
  )
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const random = new RandomIdGenerator()
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'prosa' }).merge(detectResources({ detectors: [envDetector] })),
    idGenerator: { generateTraceId: () => nextTraceId, generateSpanId: () => random.generateSpanId() },
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) })],
  })
  tracer = provider.getTracer('prosa')
  return {
    async stop() {
      tracer = undefined
      const timer = new Promise((resolve) => setTimeout(resolve, flushMs).unref())
      await Promise.race([provider.shutdown().catch(complain), timer])
      context.disable()
      diag.disable()
    },
  }
}
