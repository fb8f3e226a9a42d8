import { useSearchParams } from 'react-router-dom'

export interface AddressSorting<By extends string> {
  by: By
  order: 'asc' | 'desc'
  onSort: (by: string, order: 'asc' | 'desc') => void
  /** For the request; empty for the usual order. */
  query: { sort?: By; order?: 'asc' | 'desc' }
}

/** Column and order of a table, in the address; descending by the usual column without. */
export const useAddressSorting = <By extends string>(columns: readonly By[], usual: By): AddressSorting<By> => {
  const [searchParams, setSearchParams] = useSearchParams()
  const by = columns.find((column) => column === searchParams.get('ordem')) ?? usual
  const order = searchParams.get('sentido') === 'asc' ? 'asc' : 'desc'
  return {
    by,
    order,
    query: by === usual && order === 'desc' ? {} : { sort: by, order },
    onSort: (by, order) =>
      setSearchParams(
        (before) => {
          const after = new URLSearchParams(before)
          after.set('ordem', by)
          after.set('sentido', order)
          return after
        },
        { replace: true, preventScrollReset: true },
      ),
  }
}
