/** As long as a timer can wait: 24 days. The driver takes 0 for its own limit. */
export const maxTimeout = 2 ** 31 - 1

/**
 * A statement that may take as long as it takes, such as one that makes an index. A server that is gone is noticed all
 * the same: its machine no longer answers for the connection (see `openPool`).
 */
export const withoutTimeout = <P extends unknown[]>(text: string, ...values: P) => ({
  text,
  values,
  query_timeout: maxTimeout,
})
