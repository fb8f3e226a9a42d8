/** What the list is filtered by, in the address of live chat. */
export const labelParameter = 'etiqueta'

/** The id of the label that an address with these parameters filters by. */
export const labelIn = (parameters: URLSearchParams): string | null => {
  const id = parameters.get(labelParameter)
  return id && /^[\da-f-]{36}$/.test(id) ? id : null
}
