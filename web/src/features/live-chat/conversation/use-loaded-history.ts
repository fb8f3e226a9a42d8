import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { ApiProblem } from '../../../lib/http/http.ts'
import { readAgain } from '../../../lib/realtime/merged-readings.ts'
import { keys, messagePage } from '../api.ts'
import { type HistoryEvent, historyAfter, type ReadingEvent } from '../conversation-state.ts'
import { type History, latestOf } from '../history-page.ts'

/** A return shows the latest messages, not the last jump. */
const useForgetJump = (contactId: string) => {
  const client = useQueryClient()
  useEffect(
    () => () => {
      const queryKey = keys.history(contactId)
      const left = client.getQueryData<History>(queryKey)
      const latest = left && latestOf(left)
      if (latest) client.setQueryData(queryKey, latest)
      else client.removeQueries({ queryKey })
    },
    [client, contactId],
  )
}

/** Reads pages; `dispatch` gets which one is loading or failed: the next scroll or a press retries. */
export const useLoadedHistory = (contactId: string, loaded: History, dispatch: (event: ReadingEvent) => void) => {
  const client = useQueryClient()
  const busy = useRef(false)
  const latest = useRef(loaded)
  latest.current = loaded

  const change = useCallback(
    (event: HistoryEvent) => {
      const queryKey = keys.history(contactId)
      const before = client.getQueryData<History>(queryKey)
      const after = historyAfter(before, event)
      if (after !== before) client.setQueryData(queryKey, after)
      // What was loaded long ago may have changed since.
      if (event.type === 'viewed' && after?.anchorId && after.anchorId !== before?.anchorId) readAgain(client, queryKey)
    },
    [client, contactId],
  )

  const loadAround = useCallback(
    async (messageId: string) => {
      const page = await messagePage(contactId, { around: messageId })
      change({ type: 'opened', page, at: messageId })
      dispatch({ type: 'endsCleared' })
    },
    [change, contactId, dispatch],
  )

  const loadLatest = useCallback(async () => {
    const page = await messagePage(contactId, {})
    change({ type: 'opened', page, at: null })
    dispatch({ type: 'endsCleared' })
  }, [change, contactId, dispatch])

  const load = useCallback(
    async (end: 'older' | 'newer') => {
      const at = latest.current[end]
      if (at === null || busy.current) return
      busy.current = true
      dispatch({ type: 'pageAsked', end })
      try {
        const page = await messagePage(contactId, at)
        change({ type: `${end}Read`, page, at })
        dispatch({ type: 'pageRead' })
      } catch (error) {
        // The message at the edge is of another conversation since contacts were separated.
        const isGone = error instanceof ApiProblem && error.status === 404
        const isRead =
          isGone &&
          (await loadLatest().then(
            () => true,
            () => false,
          ))
        dispatch(isRead ? { type: 'pageRead' } : { type: 'pageFailed', end })
      }
      busy.current = false
    },
    [change, contactId, dispatch, loadLatest],
  )
  const loadOlder = useCallback(() => void load('older'), [load])
  const loadNewer = useCallback(() => void load('newer'), [load])
  const onView = useCallback((messageId: string) => change({ type: 'viewed', messageId }), [change])

  const renew = useCallback(
    async (messageId: string) => {
      const page = await messagePage(contactId, { around: messageId })
      change({ type: 'renewed', page })
    },
    [change, contactId],
  )

  useForgetJump(contactId)

  return useMemo(
    () => ({ loadOlder, loadNewer, loadAround, loadLatest, renew, onView }),
    [loadOlder, loadNewer, loadAround, loadLatest, renew, onView],
  )
}
