import type { ServiceStatus } from '@prosa/contracts/http/live-chat'
import { useAtom, useSetAtom } from 'jotai'
import { useCallback, useEffect, useRef, useState } from 'react'
import { statusTabAtom } from '../../../lib/waiting.ts'
import { cursorAtom, searchAtom } from '../atoms.ts'

interface Options {
  selectedId: string | null
  /** Of the selected contact, once it is read. */
  status: ServiceStatus | undefined
  focusList: () => void
}

/** The tab that the list shows, and the ways to another one. */
export const useStatusTab = ({ selectedId, status, focusList }: Options) => {
  const [tab, setTab] = useAtom(statusTabAtom)
  const setSearch = useSetAtom(searchAtom)
  const setCursor = useSetAtom(cursorAtom)
  // What a search found may stand in any tab: that one is behind the results from then on.
  const [foundId, setFoundId] = useState<string | null>(null)
  useEffect(() => {
    if (foundId === null || foundId !== selectedId || !status) return
    setFoundId(null)
    setTab(status)
  }, [foundId, selectedId, status, setTab])
  // Another tab has a list of its own, which keeps the keys of whoever went there by one.
  const wentByKey = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the other list is there
  useEffect(() => {
    if (wentByKey.current) focusList()
    wentByKey.current = false
  }, [tab, focusList])

  const showTab = useCallback(
    (next: ServiceStatus) => {
      setTab(next)
      setCursor(null)
    },
    [setTab, setCursor],
  )
  const chooseTab = useCallback(
    (next: ServiceStatus) => {
      setSearch('')
      showTab(next)
    },
    [setSearch, showTab],
  )
  return {
    showTab,
    /** Ends a search. */
    chooseTab,
    /** Chosen by a key: the focus goes to the list. */
    goToTab: (next: ServiceStatus) => {
      chooseTab(next)
      if (next === tab) focusList()
      else wentByKey.current = true
    },
    /** The contact that a search found and that is opened now, whose tab is shown once its status is known; null for none. */
    setFoundId,
  }
}
