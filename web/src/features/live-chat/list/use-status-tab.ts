import type { Queue } from '@prosa/contracts/http/live-chat'
import { useAtom, useSetAtom } from 'jotai'
import { useCallback, useEffect, useRef, useState } from 'react'
import { queueAtom } from '../../../lib/account/waiting.ts'
import { cursorAtom, searchAtom } from '../atoms.ts'

interface Options {
  selectedId: string | null
  /** Undefined while the contact loads. */
  queue: Queue | undefined
  focusList: () => void
}

export const useStatusTab = ({ selectedId, queue, focusList }: Options) => {
  const [tab, setTab] = useAtom(queueAtom)
  const setSearch = useSetAtom(searchAtom)
  const setCursor = useSetAtom(cursorAtom)
  // A search result may be in any tab, which then becomes the current one.
  const [foundId, setFoundId] = useState<string | null>(null)
  useEffect(() => {
    if (foundId === null || foundId !== selectedId || !queue) return
    setFoundId(null)
    setTab(queue)
  }, [foundId, selectedId, queue, setTab])
  // After navigation by key the focus stays on the list.
  const wentByKey = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the other list is there
  useEffect(() => {
    if (wentByKey.current) focusList()
    wentByKey.current = false
  }, [tab, focusList])

  const showTab = useCallback(
    (next: Queue) => {
      setTab(next)
      setCursor(null)
    },
    [setTab, setCursor],
  )
  const chooseTab = useCallback(
    (next: Queue) => {
      setSearch('')
      showTab(next)
    },
    [setSearch, showTab],
  )
  return {
    showTab,
    /** Ends a search. */
    chooseTab,
    goToTab: (next: Queue) => {
      chooseTab(next)
      if (next === tab) focusList()
      else wentByKey.current = true
    },
    /** The opened search result, whose tab shows once its queue is known; null: none. */
    setFoundId,
  }
}
