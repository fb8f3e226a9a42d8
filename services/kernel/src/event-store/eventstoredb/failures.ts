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

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)
