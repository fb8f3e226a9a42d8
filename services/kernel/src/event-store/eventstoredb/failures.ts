/** The server sent nothing for longer than it may, or ended a call in the middle: the outcome is unknown. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
}

/** Nothing came on a call for as long as somebody waits for it. */
export class GoneSilent extends NoAnswer {
  override name = 'GoneSilent'
}

/**
 * gRPC codes after which nobody knows what the server did: cancelled (1), deadline exceeded (4), aborted (10: the server's own
 * time-outs, and a live subscriber that was too slow), internal (13: streams reset while it stops), unavailable (14).
 */
const unknownOutcome = new Set<unknown>([1, 4, 10, 13, 14])
const unknownTypes = new Set<unknown>(['unavailable', 'cancelled', 'deadline-exceeded', 'timeout', 'not-leader'])
/** A plain Error without a code or a type. */
const undiscovered = 'Failed to discover'

/** Not all of these are the client's own classes: a server that is down is a plain Error with a code, for instance. */
export const isUnreachable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  if (error instanceof NoAnswer || error.message.startsWith(undiscovered)) return true
  return unknownOutcome.has(codeOf(error)) || unknownTypes.has('type' in error && error.type)
}

/** The server drops a live subscriber that falls behind. That is its way of flow control, and no trouble. */
export const isTooSlow = (error: unknown): boolean => codeOf(error) === 10

/** "Exception was thrown by handler": what the server answers to a position inside the log at which no event starts. */
export const isHandlerException = (error: unknown): boolean => codeOf(error) === 2

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)
