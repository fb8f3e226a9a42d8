import { useCallback, useEffect, useRef } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import { paths } from '../../app/paths.ts'

const parameter = 'contato'
/** The message to open the conversation at: one that a search found. */
const messageParameter = 'mensagem'
/** Whether the details of the contact are open. */
const detailsParameter = 'detalhes'

/** What the browser keeps with a step of its history: which step is behind it. */
interface StepState {
  cameFromList?: boolean
  cameFromConversation?: boolean
  /** How often the message was asked for. */
  jump?: number
}

/** The contact whose conversation an address with these parameters shows. */
export const chatInView = (search: string): string | null => new URLSearchParams(search).get(parameter)

/** The address of one conversation. */
export const chatAddress = (contactId: string): string =>
  `${paths.liveChat}?${new URLSearchParams({ [parameter]: contactId })}`

/**
 * The conversation in view and its details, kept in the address. Opening a conversation from the list adds one step to the
 * browser's history and moving on to another replaces it, so the browser's back leads to the list; details that cover the
 * conversation add one more.
 */
export const useSelection = () => {
  const [searchParams, setSearchParams] = useSearchParams()
  const location = useLocation()
  const navigate = useNavigate()
  const selectedId = searchParams.get(parameter)
  const messageId = searchParams.get(messageParameter)
  const isDetailsOpen = searchParams.has(detailsParameter)
  const { cameFromList = false, cameFromConversation = false, jump = 0 } = (location.state as StepState | null) ?? {}

  // Who presses twice goes back once.
  const isGoing = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step may be left once
  useEffect(() => {
    isGoing.current = false
  }, [location.key])
  const goBack = useCallback(
    (steps: number) => {
      if (isGoing.current) return
      isGoing.current = true
      void navigate(-steps)
    },
    [navigate],
  )

  const select = useCallback(
    (contactId: string, atMessageId?: string) => {
      if (contactId === selectedId && messageId === null && atMessageId === undefined) return
      setSearchParams(
        {
          [parameter]: contactId,
          ...(atMessageId && { [messageParameter]: atMessageId }),
          ...(isDetailsOpen && { [detailsParameter]: '' }),
        },
        {
          replace: selectedId !== null,
          state: {
            cameFromList: selectedId === null || cameFromList,
            cameFromConversation,
            jump: jump + 1,
          },
        },
      )
    },
    [cameFromList, cameFromConversation, isDetailsOpen, jump, messageId, selectedId, setSearchParams],
  )

  const leave = useCallback(() => {
    if (selectedId === null) return
    if (cameFromList) goBack(cameFromConversation ? 2 : 1)
    else setSearchParams({}, { replace: true })
  }, [cameFromList, cameFromConversation, goBack, selectedId, setSearchParams])

  /** `covering`: the details lie over the conversation, and the browser's back closes them. */
  const showDetails = useCallback(
    (open: boolean, { covering = false } = {}) => {
      if (open === isDetailsOpen) return
      if (!open && cameFromConversation) return goBack(1)
      setSearchParams(
        (current) => {
          const changed = new URLSearchParams(current)
          if (open) changed.set(detailsParameter, '')
          else changed.delete(detailsParameter)
          return changed
        },
        { replace: !open || !covering, state: { cameFromList, cameFromConversation: open && covering, jump } },
      )
    },
    [cameFromList, cameFromConversation, goBack, isDetailsOpen, jump, setSearchParams],
  )

  return { selectedId, messageId, jump, isDetailsOpen, select, leave, showDetails }
}
