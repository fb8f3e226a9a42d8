const isCollection = (value: unknown): value is { size: number } =>
  typeof value === 'object' && value !== null && 'size' in value && typeof value.size === 'number'

/** How much a signal keeps for others: its listeners, and the signals that Node derived from it, which no function of Node's reports. */
export const retainedBy = (signal: AbortSignal): number =>
  Reflect.ownKeys(signal)
    .map((key): unknown => Reflect.get(signal, key))
    .reduce<number>((sum, kept) => sum + (isCollection(kept) ? kept.size : 0), 0)
