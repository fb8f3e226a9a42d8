export const toggled = (chosen: ReadonlySet<string> | null, contactId: string): ReadonlySet<string> => {
  const after = new Set(chosen)
  if (!after.delete(contactId)) after.add(contactId)
  return after
}
