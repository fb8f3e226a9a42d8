import type { Contact } from '@prosa/contracts/http/live-chat'
import { useCallback, useEffect, useLayoutEffect, useReducer, useRef } from 'react'
import { ApiProblem } from '../../../lib/http/http.ts'
import { useToast } from '../../../lib/toast.ts'
import { isOnTheWay, type Reading, type ReadingEvent, readingAfter, readingOf } from '../conversation-state.ts'
import type { History } from '../history-page.ts'
import { useWindowVisible } from '../use-window-visible.ts'
import { useLoadedHistory } from './use-loaded-history.ts'

interface Options {
  contact: Contact
  isFresh: boolean
  loaded: History
  messageId: string | null
  jump: number
}

/** `goTo` first loads the messages around it; true when it exists. */
const useGoTo = (
  loaded: History,
  load: (messageId: string) => Promise<void>,
  dispatch: (event: ReadingEvent) => void,
) => {
  const toast = useToast()
  const latest = useRef(loaded)
  latest.current = loaded
  return useCallback(
    async (messageId: string): Promise<boolean> => {
      try {
        if (!latest.current.messages.some(({ id }) => id === messageId)) await load(messageId)
        dispatch({ type: 'wentTo', messageId })
        return true
      } catch (error) {
        const gone = error instanceof ApiProblem && error.status === 404
        toast({
          kind: 'info',
          title: gone ? 'Esta mensagem não está mais aqui' : 'A mensagem não pôde ser aberta',
          description: gone ? 'Ela é anterior ao que o Prosa guardou.' : 'Tente de novo em instantes.',
        })
        return false
      }
    },
    [dispatch, load, toast],
  )
}

/** Opens at the requested or first unread message, and reads further pages. */
export const useReading = ({ contact, isFresh, loaded, messageId, jump }: Options) => {
  const { id: contactId, firstUnreadId } = contact
  const isVisible = useWindowVisible()
  const reachesLatest = loaded.newer === null
  // A jump to an old message has not seen the latest ones.
  const looksAtLatestIn = (reading: Reading) => reachesLatest && !isOnTheWay(reading, messageId)
  const isWatchedIn = (reading: Reading) => isFresh && isVisible && looksAtLatestIn(reading)
  const [reading, dispatch] = useReducer(readingAfter, null, () => {
    const opened = readingOf(loaded, firstUnreadId, messageId)
    return { ...opened, isWatched: isWatchedIn(opened) }
  })
  const pages = useLoadedHistory(contactId, loaded, dispatch)
  const goTo = useGoTo(loaded, pages.loadAround, dispatch)

  const { beginsAbove } = reading
  const arriveAt = useCallback(
    async (id: string) => {
      if (!(await goTo(id))) dispatch({ type: 'notFound', messageId: id })
    },
    [goTo],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: who asks for the message again wants to see it again
  useEffect(() => {
    if (messageId !== null) void arriveAt(messageId)
  }, [messageId, jump, arriveAt])
  // Also when the unread messages exceed a page.
  useEffect(() => {
    if (beginsAbove !== null) void arriveAt(beginsAbove)
  }, [beginsAbove, arriveAt])

  // Not when its page was read, but when it is shown: until then what was loaded before is in view.
  useEffect(
    () => dispatch({ type: 'messagesShown', messages: loaded.messages, messageId }),
    [loaded.messages, messageId],
  )

  const isWatched = isWatchedIn(reading)
  useLayoutEffect(() => dispatch({ type: 'unreadSeen', firstUnreadId, isWatched }), [firstUnreadId, isWatched])
  const onMissed = useCallback((id: string) => dispatch({ type: 'missed', messageId: id }), [])
  return { reading, ...pages, goTo, onMissed, reachesLatest, looksAtLatest: looksAtLatestIn(reading) }
}
