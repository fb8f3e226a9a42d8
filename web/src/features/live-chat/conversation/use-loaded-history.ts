import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { keys, messagePage } from '../api.ts'
import { type History, historyOf, withNewerPage, withOlderPage, withRenewed } from '../history-page.ts'

/** `failed`: the page that did not load; the next scroll or a press retries. */
export const useLoadedHistory = (contactId: string, loaded: History) => {
  const client = useQueryClient()
  const [loading, setLoading] = useState<'older' | 'newer' | null>(null)
  const [failed, setFailed] = useState<'older' | 'newer' | null>(null)
  const busy = useRef(false)
  const latest = useRef(loaded)
  latest.current = loaded

  const change = useCallback(
    (next: (loaded: History) => History) =>
      client.setQueryData<History>(keys.history(contactId), (current) => current && next(current)),
    [client, contactId],
  )

  const once = useCallback(async (which: 'older' | 'newer', work: () => Promise<void>) => {
    if (busy.current) return
    busy.current = true
    setLoading(which)
    try {
      await work()
      setFailed(null)
    } catch {
      setFailed(which)
    }
    busy.current = false
    setLoading(null)
  }, [])

  const loadOlder = useCallback(() => {
    const cursor = latest.current.olderCursor
    if (cursor === null) return
    void once('older', async () => {
      const page = await messagePage(contactId, { cursor })
      change((current) => (current.olderCursor === cursor ? withOlderPage(current, page) : current))
    })
  }, [change, contactId, once])

  const loadNewer = useCallback(() => {
    const after = latest.current.newerCursor
    if (after === null) return
    void once('newer', async () => {
      const page = await messagePage(contactId, { after })
      change((current) => (current.newerCursor === after ? withNewerPage(current, page) : current))
    })
  }, [change, contactId, once])

  const loadAround = useCallback(
    async (messageId: string) => {
      const page = await messagePage(contactId, { around: messageId })
      change(() => historyOf(page, messageId))
      setFailed(null)
    },
    [change, contactId],
  )

  const loadLatest = useCallback(async () => {
    const page = await messagePage(contactId, {})
    change(() => historyOf(page))
    setFailed(null)
  }, [change, contactId])

  const renew = useCallback(
    async (messageId: string) => {
      const page = await messagePage(contactId, { around: messageId })
      change((current) => withRenewed(current, page))
    },
    [change, contactId],
  )

  // A return shows the latest messages, not the last jump.
  useEffect(
    () => () => {
      const left = client.getQueryData<History>(keys.history(contactId))
      if (left?.anchorId) client.removeQueries({ queryKey: keys.history(contactId) })
    },
    [client, contactId],
  )

  return useMemo(
    () => ({ loading, failed, loadOlder, loadNewer, loadAround, loadLatest, renew }),
    [loading, failed, loadOlder, loadNewer, loadAround, loadLatest, renew],
  )
}
