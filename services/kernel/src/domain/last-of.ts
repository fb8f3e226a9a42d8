/**
 * With one item more, and no more than the last so many: what a state knows of the past must not grow with the stream, or each command
 * costs more than the one before, and a fold of the whole stream the square of it.
 */
export const withLast = <T>(items: readonly T[], item: T, max: number): readonly T[] => [...items, item].slice(-max)
