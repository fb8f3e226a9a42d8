const isCollection = (value: unknown): value is { size: number } =>
  typeof value === 'object' && value !== null && 'size' in value && typeof value.size === 'number'

/** Counts listeners and derived signals, which no Node function reports. */
export const retainedBy = (signal: AbortSignal): number =>
  Reflect.ownKeys(signal)
    .map((key): unknown => Reflect.get(signal, key))
    .reduce<number>((sum, kept) => sum + (isCollection(kept) ? kept.size : 0), 0)
