/** Deep equality of JSON values, whatever the order of keys. */
export const sameValue = (one: unknown, other: unknown): boolean => {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const [entries, size] = [Object.entries(one), Object.keys(other).length]
  return entries.length === size && entries.every(([key, value]) => sameValue(value, (other as never)[key]))
}
