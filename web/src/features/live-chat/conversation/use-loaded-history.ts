import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { keys, messagePage } from '../api.ts'
import { type HistoryEvent, historyAfter, type ReadingEvent } from '../conversation-state.ts'
import type { History } from '../history-page.ts'

/** A return shows the latest messages, not the last jump. */
const useForgetJump = (contactId: string) => {
  const client = useQueryClient()
  useEffect(
    () => () => {
      const left = client.getQueryData<History>(keys.history(contactId))
      if (left?.anchorId) client.removeQueries({ queryKey: keys.history(contactId) })
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
    (event: HistoryEvent) =>
      client.setQueryData<History>(keys.history(contactId), (current) => historyAfter(current, event)),
    [client, contactId],
  )

  const once = useCallback(
    async (end: 'older' | 'newer', work: () => Promise<unknown>) => {
      if (busy.current) return
      busy.current = true
      dispatch({ type: 'pageAsked', end })
      try {
        await work()
        dispatch({ type: 'pageRead' })
      } catch {
        dispatch({ type: 'pageFailed', end })
      }
      busy.current = false
    },
    [dispatch],
  )

  const loadOlder = useCallback(() => {
    const cursor = latest.current.olderCursor
    if (cursor === null) return
    void once('older', async () => {
      const page = await messagePage(contactId, { cursor })
      change({ type: 'olderRead', page, cursor })
    })
  }, [change, contactId, once])

  const loadNewer = useCallback(() => {
    const after = latest.current.newerCursor
    if (after === null) return
    void once('newer', async () => {
      const page = await messagePage(contactId, { after })
      change({ type: 'newerRead', page, after })
    })
  }, [change, contactId, once])

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

  const renew = useCallback(
    async (messageId: string) => {
      const page = await messagePage(contactId, { around: messageId })
      change({ type: 'renewed', page })
    },
    [change, contactId],
  )

  useForgetJump(contactId)

  return useMemo(
    () => ({ loadOlder, loadNewer, loadAround, loadLatest, renew }),
    [loadOlder, loadNewer, loadAround, loadLatest, renew],
  )
}
