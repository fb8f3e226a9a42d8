/** The pool then replaces the connection, which may be half open. */
export const timeoutMs = 2000

/** For health and metrics, which must detect a missing answer. */
export const withTimeout = <P extends unknown[]>(text: string, ...values: P) => ({
  text,
  values,
  query_timeout: timeoutMs,
})
