import { type Bindings, type ChildLoggerOptions, type DestinationStream, type LogFn, type Logger, pino } from 'pino'
import { correlationId } from './correlation.ts'
import { redact } from './redact.ts'
import { scrub } from './scrub.ts'

export type { Logger }

/** Libraries and pino copy an error's message. */
const isMessageOf = (fields: object, sentence: string) =>
  Object.values(fields).some((value) => value instanceof Error && value.message === sentence)

/** Only numbers stay of formatted values. */
function logRedacted(this: Logger, given: Parameters<LogFn>, method: LogFn): void {
  const [first, ...others]: unknown[] = given
  const isSentence = typeof first === 'string'
  const fields: object = first instanceof Error ? { err: first } : typeof first === 'object' && first ? first : {}
  const [sentence, ...values] = isSentence ? [first, ...others] : others
  const isOurs = typeof sentence === 'string' && !isMessageOf(fields, sentence)
  const safeValues = values.map((value) => (typeof value === 'number' ? value : '[removed]'))
  method.call(this, fields, isOurs ? scrub(sentence) : 'error', ...safeValues)
}

/** Fastify's would read redacted addresses; pino's would name every redacted error 'Object'. */
const serializers = { req: () => '[removed]', res: () => '[removed]', err: (error: unknown) => error }

/** JSON lines, to standard output by default. Personal data, secrets and error messages are removed (`observability/redact.ts`). */
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
  // Every child inherits it: pino applies no formatter to a child's bindings.
  const redactedChild = function (this: Logger, bindings: Bindings, settings?: ChildLoggerOptions): Logger {
    return Reflect.apply(child, this, [redact(bindings), settings])
  }
  return Object.assign(log, { child: redactedChild })
}

export const silentLog = (): Logger => pino({ level: 'silent' })
