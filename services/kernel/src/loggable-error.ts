/** An error whose message names things by id and shape only, so that it may stand in the log. */
export class LoggableError extends Error {
  override name = 'LoggableError'
}
