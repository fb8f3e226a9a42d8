export interface Measured {
  rate: number
  p50: number
  p99: number
}

export const quantile = (values: readonly number[], q: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** Closed loop per caller; `begin` creates the calls of one caller. Times in ms. */
export const measure = async (callers: number, ms: number, begin: () => () => Promise<void>): Promise<Measured> => {
  const delays: number[] = []
  const began = performance.now()
  const end = began + ms
  const run = async () => {
    const call = begin()
    while (performance.now() < end) {
      const sent = performance.now()
      await call()
      delays.push(performance.now() - sent)
    }
  }
  await Promise.all(Array.from({ length: callers }, run))
  return {
    rate: delays.length / ((performance.now() - began) / 1000),
    p50: quantile(delays, 0.5),
    p99: quantile(delays, 0.99),
  }
}
