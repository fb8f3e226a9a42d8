import pg from 'pg'

/** Connection, resources, shutdown or cancel, system error, standby, idle transaction, not accepting connections. */
const passing = /^(08|53|57|58|25006|25P03|55000)/
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
/** Any code counts while connecting; elsewhere ENOENT and EACCES concern files. */
const connecting = new Set<unknown>(['connect', 'getaddrinfo'])
/** Driver errors without a code. */
const driverMessage =
  /^(Connection terminated|Client (has encountered a connection error|was closed)|Query read timeout|timeout ex)/

/** The outcome of the call is unknown. */
export const isUnreachable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (error instanceof pg.DatabaseError) return passing.test(code)
  // Node tries all addresses and reports the failures together.
  if (error instanceof AggregateError && error.errors.some(isUnreachable)) return true
  const isConnecting = code !== '' && 'syscall' in error && connecting.has(error.syscall)
  return isConnecting || lostConnection.has(code) || driverMessage.test(error.message)
}
