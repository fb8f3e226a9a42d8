export interface ListFilter {
  label: string | null
  line: string | null
}

export const noFilter: ListFilter = { label: null, line: null }

const parameters = { label: 'etiqueta', line: 'numero' } as const

const idIn = (address: URLSearchParams, parameter: string): string | null => {
  const id = address.get(parameter)
  return id && /^[\da-f-]{36}$/.test(id) ? id : null
}

export const filterIn = (address: URLSearchParams): ListFilter => ({
  label: idIn(address, parameters.label),
  line: idIn(address, parameters.line),
})

export const filterParameters = ({ label, line }: ListFilter): Record<string, string> => ({
  ...(label !== null && { [parameters.label]: label }),
  ...(line !== null && { [parameters.line]: line }),
})

export const withFilter = (address: URLSearchParams, change: Partial<ListFilter>): URLSearchParams => {
  const after = new URLSearchParams(address)
  for (const parameter of Object.values(parameters)) after.delete(parameter)
  for (const [name, id] of Object.entries(filterParameters({ ...filterIn(address), ...change }))) after.set(name, id)
  return after
}
