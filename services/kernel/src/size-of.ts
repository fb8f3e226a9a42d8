const objectBytes = 40
const slotBytes = 16

/** Entries of a saved state (`domain/snapshots/entries.ts`) count their bytes themselves. */
const isEntries = (value: object): value is { bytes: number } =>
  'isWhole' in value && 'changed' in value && 'bytes' in value

/**
 * What a value takes in node's memory, about: two bytes a character, eight a number, and what objects, arrays, maps and sets need for each
 * of their members. What is held twice counts twice.
 */
export const sizeOf = (value: unknown): number => {
  if (typeof value === 'string') return objectBytes + 2 * value.length
  if (typeof value !== 'object' || value === null) return 8
  if (isEntries(value)) return objectBytes + value.bytes
  let bytes = objectBytes
  if (Array.isArray(value) || value instanceof Set) for (const each of value) bytes += slotBytes + sizeOf(each)
  else if (value instanceof Map) for (const [key, each] of value) bytes += 2 * slotBytes + sizeOf(key) + sizeOf(each)
  // Names of fields are shared by all objects of one shape.
  else for (const each of Object.values(value)) bytes += slotBytes + sizeOf(each)
  return bytes
}
