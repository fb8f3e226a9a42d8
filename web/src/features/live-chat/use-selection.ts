import { useCallback } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import { paths } from '../../app/paths.ts'

const parameter = 'contato'
/** The message to open the conversation at: one that a search found. */
const messageParameter = 'mensagem'

/** The contact whose conversation an address with these parameters shows. */
export const chatInView = (search: string): string | null => new URLSearchParams(search).get(parameter)

/** The address of one conversation. */
export const chatAddress = (contactId: string): string =>
  `${paths.liveChat}?${new URLSearchParams({ [parameter]: contactId })}`

/**
 * The conversation in view, kept in the address. Opening one from the list adds one step to the browser's history and
 * moving on to another replaces it, so the browser's back always leads to the list.
 */
export const useSelection = () => {
  const [searchParams, setSearchParams] = useSearchParams()
  const location = useLocation()
  const navigate = useNavigate()
  const selectedId = searchParams.get(parameter)
  const messageId = searchParams.get(messageParameter)
  const cameFromList = (location.state as { cameFromList?: boolean } | null)?.cameFromList === true

  const select = useCallback(
    (contactId: string, atMessageId?: string) => {
      if (contactId === selectedId && (atMessageId ?? null) === messageId) return
      setSearchParams(
        { [parameter]: contactId, ...(atMessageId && { [messageParameter]: atMessageId }) },
        { replace: selectedId !== null, state: { cameFromList: selectedId === null || cameFromList } },
      )
    },
    [cameFromList, messageId, selectedId, setSearchParams],
  )

  const leave = useCallback(() => {
    if (selectedId === null) return
    if (cameFromList) void navigate(-1)
    else setSearchParams({}, { replace: true })
  }, [cameFromList, navigate, selectedId, setSearchParams])

  return { selectedId, messageId, select, leave }
}
