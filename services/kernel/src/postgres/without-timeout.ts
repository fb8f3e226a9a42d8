/** 24 days, the maximum of a timer; 0 would mean the driver's default. */
export const maxTimeout = 2 ** 31 - 1

/** For long statements such as index creation; keep-alive still detects a dead server. */
export const withoutTimeout = <P extends unknown[]>(text: string, ...values: P) => ({
  text,
  values,
  query_timeout: maxTimeout,
})
