/**
 * After this long the query fails, and the pool replaces its connection: one that is half open answers nothing and does not
 * end.
 */
export const timeoutMs = 2000

/** A query for health and metrics, which must learn in time that there is no answer. */
export const withTimeout = <P extends unknown[]>(text: string, ...values: P) => ({
  text,
  values,
  query_timeout: timeoutMs,
})
