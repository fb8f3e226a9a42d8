import { type Bindings, type ChildLoggerOptions, type DestinationStream, type LogFn, type Logger, pino } from 'pino'
import { correlationId } from './observability/correlation.ts'
import { scrub } from './observability/scrub.ts'
import { told } from './observability/told.ts'

export type { Logger }

/** Whether a sentence is one that an error said: libraries like to hand it on, and pino takes it where there is none. */
const isSaidBy = (fields: object, sentence: string) =>
  Object.values(fields).some((value) => value instanceof Error && value.message === sentence)

/** Sentences are ours; what is put into them is told only where it is a number. */
function tellDiscreetly(this: Logger, given: Parameters<LogFn>, method: LogFn): void {
  const [first, ...others]: unknown[] = given
  const isSentence = typeof first === 'string'
  const fields: object = first instanceof Error ? { err: first } : typeof first === 'object' && first ? first : {}
  const [sentence, ...values] = isSentence ? [first, ...others] : others
  const isOurs = typeof sentence === 'string' && !isSaidBy(fields, sentence)
  const sayable = values.map((value) => (typeof value === 'number' ? value : '[removed]'))
  method.call(this, fields, isOurs ? scrub(sentence) : 'error', ...sayable)
}

/** Fastify's own ones look for addresses and hosts in what is gone by then; pino's would make 'Object' of what `told` made of an error. */
const serializers = { req: () => '[removed]', res: () => '[removed]', err: (error: unknown) => error }

/**
 * JSON lines on standard output, or wherever `destination` leads. Each belongs to the request or event in whose course it was
 * logged, by `correlationId`. What is logged names things by id; texts, numbers and names of people, secrets and what errors
 * say are taken out here, in one place, wherever they come from (`observability/told.ts`).
 */
export const createLog = (level: string, destination?: DestinationStream): Logger => {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers,
    formatters: { log: told },
    mixin: () => {
      const id = correlationId()
      return id === undefined ? {} : { correlationId: id }
    },
    hooks: { logMethod: tellDiscreetly },
  }
  const log: Logger = destination ? pino(options, destination) : pino(options)
  const { child } = log
  // Every child inherits this; pino applies no formatter to what a child is bound to.
  const discreetChild = function (this: Logger, bindings: Bindings, settings?: ChildLoggerOptions): Logger {
    return Reflect.apply(child, this, [told(bindings), settings])
  }
  return Object.assign(log, { child: discreetChild })
}

/** For tests: says nothing. */
export const silentLog = (): Logger => pino({ level: 'silent' })
