/** Its message contains only ids and shapes, so it may be logged. */
export class LoggableError extends Error {
  override name = 'LoggableError'
}
