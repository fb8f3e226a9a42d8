const objectBytes = 40
const slotBytes = 16

/** These count their own bytes (`domain/snapshots/entries.ts`). */
const isEntries = (value: object): value is { bytes: number } =>
  'isWhole' in value && 'changed' in value && 'bytes' in value

/** Approximate bytes in memory; shared values count each time. */
export const sizeOf = (value: unknown): number => {
  if (typeof value === 'string') return objectBytes + 2 * value.length
  if (typeof value !== 'object' || value === null) return 8
  if (isEntries(value)) return objectBytes + value.bytes
  let bytes = objectBytes
  if (Array.isArray(value) || value instanceof Set) for (const each of value) bytes += slotBytes + sizeOf(each)
  else if (value instanceof Map) for (const [key, each] of value) bytes += 2 * slotBytes + sizeOf(key) + sizeOf(each)
  // Objects of one shape share names.
  else for (const each of Object.values(value)) bytes += slotBytes + sizeOf(each)
  return bytes
}
