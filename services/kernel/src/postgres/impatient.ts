/**
 * After this long the query fails, and the pool replaces its connection: one that is half open answers nothing and does not
 * end.
 */
export const patienceMilliseconds = 2000

/** A query for health and metrics, which must be told in time that there is no answer. */
export const impatient = <P extends unknown[]>(text: string, ...values: P) => ({
  text,
  values,
  query_timeout: patienceMilliseconds,
})
