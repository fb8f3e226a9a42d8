import { useLocation, useSearchParams } from 'react-router-dom'
import { labelIn, labelParameter } from './label-address.ts'

/** The label that the list is filtered by, kept in the address, and the way to another one or to none. */
export const useLabelFilter = (): [labelId: string | null, filterBy: (labelId: string | null) => void] => {
  const [parameters, setParameters] = useSearchParams()
  const { state } = useLocation()
  const filterBy = (labelId: string | null) =>
    setParameters(
      (before) => {
        const after = new URLSearchParams(before)
        if (labelId === null) after.delete(labelParameter)
        else after.set(labelParameter, labelId)
        return after
      },
      { replace: true, state },
    )
  return [labelIn(parameters), filterBy]
}
