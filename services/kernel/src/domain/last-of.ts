/** Bounded, so that the cost of a command does not grow with the stream. */
export const withLast = <T>(items: readonly T[], item: T, max: number): readonly T[] => [...items, item].slice(-max)
