import pg from 'pg'

/**
 * SQLSTATEs that pass: connection, resources, shutdown or cancel, system error; standby, transaction ended because it
 * stood idle, closed to connections for now.
 */
const passing = /^(08|53|57|58|25006|25P03|55000)/
/** What node says of sockets (ECONNRESET, EPIPE …) and what the driver says without a code. */
const socketCode = /^E[A-Z]+$/
const driverMessage =
  /^(Connection terminated|Client (has encountered a connection error|was closed)|Query read timeout|timeout ex)/

/** Whether PostgreSQL could not be reached or could not serve now, so that the outcome of the call is unknown. */
export const isUnreachable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (error instanceof pg.DatabaseError) return passing.test(code)
  return socketCode.test(code) || driverMessage.test(error.message)
}
