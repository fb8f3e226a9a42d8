import pg from 'pg'

/**
 * SQLSTATEs that pass: connection, resources, shutdown or cancel, system error; standby, transaction ended because it
 * stood idle, closed to connections for now.
 */
const passing = /^(08|53|57|58|25006|25P03|55000)/
/** What becomes of a connection that stood. */
const lostConnection = new Set([
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETRESET',
  'ENETUNREACH',
  'ENOTCONN',
  'EPIPE',
  'ESHUTDOWN',
  'ETIMEDOUT',
])
/** While a connection is made any code counts: ENOENT and EACCES are those of a Unix socket, but elsewhere those of files. */
const connecting = new Set<unknown>(['connect', 'getaddrinfo'])
/** Messages of the driver that come without a code. */
const driverMessage =
  /^(Connection terminated|Client (has encountered a connection error|was closed)|Query read timeout|timeout ex)/

/** Whether PostgreSQL could not be reached or could not serve now, so that the outcome of the call is unknown. */
export const isUnreachable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (error instanceof pg.DatabaseError) return passing.test(code)
  // Node tries each address of a name, and reports all failures at once.
  if (error instanceof AggregateError && error.errors.some(isUnreachable)) return true
  const isConnecting = code !== '' && 'syscall' in error && connecting.has(error.syscall)
  return isConnecting || lostConnection.has(code) || driverMessage.test(error.message)
}
