import { useLocation, useSearchParams } from 'react-router-dom'
import { filterIn, type ListFilter, withFilter } from './list-filter.ts'

export const useListFilter = (): [filter: ListFilter, filterBy: (change: Partial<ListFilter>) => void] => {
  const [parameters, setParameters] = useSearchParams()
  const { state } = useLocation()
  const filterBy = (change: Partial<ListFilter>) =>
    setParameters((before) => withFilter(before, change), { replace: true, state })
  return [filterIn(parameters), filterBy]
}
