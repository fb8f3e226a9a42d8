import { useCallback } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'

const parameter = 'contato'

/**
 * The conversation in view, kept in the address. Opening one from the list adds one step to the browser's history and
 * moving on to another replaces it, so the browser's back always leads to the list.
 */
export const useSelection = () => {
  const [searchParams, setSearchParams] = useSearchParams()
  const location = useLocation()
  const navigate = useNavigate()
  const selectedId = searchParams.get(parameter)
  const cameFromList = (location.state as { cameFromList?: boolean } | null)?.cameFromList === true

  const select = useCallback(
    (contactId: string) => {
      if (contactId === selectedId) return
      setSearchParams(
        { [parameter]: contactId },
        { replace: selectedId !== null, state: { cameFromList: selectedId === null || cameFromList } },
      )
    },
    [cameFromList, selectedId, setSearchParams],
  )

  const leave = useCallback(() => {
    if (selectedId === null) return
    if (cameFromList) void navigate(-1)
    else setSearchParams({}, { replace: true })
  }, [cameFromList, navigate, selectedId, setSearchParams])

  return { selectedId, select, leave }
}
