/** `p50 / max (n times)`, in ms. */
export const summaryOf = (times: readonly number[]): string => {
  const sorted = times.toSorted((one, other) => one - other)
  const [middle = 0, longest = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)]
  return `${Math.round(middle)} / ${Math.round(longest)} (${sorted.length} times)`
}
