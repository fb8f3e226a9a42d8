import { LoggableError } from '../../loggable-error.ts'

/** The outcome is unknown. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
}

export class GoneSilent extends NoAnswer {
  override name = 'GoneSilent'
}

/**
 * gRPC codes of unknown outcome: cancelled (1), deadline exceeded (4), aborted (10: server time-outs, slow subscribers), internal (13:
 * streams reset at shutdown), unavailable (14).
 */
const unknownOutcome = new Set<unknown>([1, 4, 10, 13, 14])
const unknownTypes = new Set<unknown>(['unavailable', 'cancelled', 'deadline-exceeded', 'timeout', 'not-leader'])
/** A plain Error without a code or a type. */
const undiscovered = 'Failed to discover'

/** A server that is down gives a plain Error with a code. */
export const isUnreachable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  if (error instanceof NoAnswer || error.message.startsWith(undiscovered)) return true
  return unknownOutcome.has(codeOf(error)) || unknownTypes.has('type' in error && error.type)
}

/** Flow control of the server, not a failure. */
export const isTooSlow = (error: unknown): boolean => codeOf(error) === 10

/** The answer to a position at which no event starts. */
export const isHandlerException = (error: unknown): boolean => codeOf(error) === 2

/** Why the log was interrupted, for the operator. */
export class LogInterrupted extends LoggableError {
  override name = 'LogInterrupted'
}

const codeNames = new Map<unknown, string>([
  [1, 'CANCELLED'],
  [4, 'DEADLINE_EXCEEDED'],
  [7, 'PERMISSION_DENIED'],
  [10, 'ABORTED'],
  [13, 'INTERNAL'],
  [14, 'UNAVAILABLE'],
  [16, 'UNAUTHENTICATED'],
])
/** All that a message says: it may name streams. */
const knownFaults = [
  'Consumer too slow',
  'Server Is Not Ready',
  'Operation timed out',
  'Failed to discover',
  'Connection dropped',
  'Protocol error',
  'Deadline exceeded',
]
/** Such as ECONNREFUSED. */
const systemErrors = /\bE[A-Z]{4,14}\b/g
const streamErrors = /RST_STREAM with code \d{1,3}/g

const faultsIn = (message: string): string[] => [
  ...new Set([
    ...(message.match(systemErrors) ?? []),
    ...(message.match(streamErrors) ?? []),
    ...knownFaults.filter((fault) => message.includes(fault)),
  ]),
]

/** Kind of error, gRPC code, and what is known of its message. */
export const interruption = (error: unknown): LogInterrupted => {
  const { name, message } = error instanceof Error ? error : { name: 'no error', message: '' }
  const code = codeOf(error)
  const coded = code === undefined ? '' : ` ${codeNames.get(code) ?? code}`
  const ours = error instanceof NoAnswer ? [message] : faultsIn(message)
  const faults = ours.length > 0 ? `: ${ours.join(', ')}` : ''
  return new LogInterrupted(`EventStoreDB, ${name}${coded}${faults}`, { cause: error })
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)
