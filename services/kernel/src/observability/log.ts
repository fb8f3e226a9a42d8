import { type Bindings, type ChildLoggerOptions, type DestinationStream, type LogFn, type Logger, pino } from 'pino'
import { correlationId } from './correlation.ts'
import { redact } from './redact.ts'
import { scrub } from './scrub.ts'

export type { Logger }

/**
 * Whether a log message is the message of an error in its fields: libraries pass it on, and pino takes it where there is none.
 */
const isMessageOf = (fields: object, sentence: string) =>
  Object.values(fields).some((value) => value instanceof Error && value.message === sentence)

/** Log messages are our own text; the values formatted into them are kept only when they are numbers. */
function logRedacted(this: Logger, given: Parameters<LogFn>, method: LogFn): void {
  const [first, ...others]: unknown[] = given
  const isSentence = typeof first === 'string'
  const fields: object = first instanceof Error ? { err: first } : typeof first === 'object' && first ? first : {}
  const [sentence, ...values] = isSentence ? [first, ...others] : others
  const isOurs = typeof sentence === 'string' && !isMessageOf(fields, sentence)
  const safeValues = values.map((value) => (typeof value === 'number' ? value : '[removed]'))
  method.call(this, fields, isOurs ? scrub(sentence) : 'error', ...safeValues)
}

/**
 * Fastify's serializers read addresses and hosts that are redacted by then; pino's would name every redacted error 'Object'.
 */
const serializers = { req: () => '[removed]', res: () => '[removed]', err: (error: unknown) => error }

/**
 * JSON lines on standard output, or wherever `destination` leads. Each belongs to the request or event in whose course it was
 * logged, by `correlationId`. What is logged names things by id; texts, numbers and names of people, secrets and messages of
 * errors are removed here, in one place, wherever they come from (`observability/redact.ts`).
 */
export const createLog = (level: string, destination?: DestinationStream): Logger => {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers,
    formatters: { log: redact },
    mixin: () => {
      const id = correlationId()
      return id === undefined ? {} : { correlationId: id }
    },
    hooks: { logMethod: logRedacted },
  }
  const log: Logger = destination ? pino(options, destination) : pino(options)
  const { child } = log
  // Every child inherits this; pino applies no formatter to what a child is bound to.
  const redactedChild = function (this: Logger, bindings: Bindings, settings?: ChildLoggerOptions): Logger {
    return Reflect.apply(child, this, [redact(bindings), settings])
  }
  return Object.assign(log, { child: redactedChild })
}

/** For tests: writes nothing. */
export const silentLog = (): Logger => pino({ level: 'silent' })
