import type { Queue } from '@prosa/contracts/http/live-chat'
import { useSetAtom } from 'jotai'
import { useEffect, useRef } from 'react'
import { sentenceOf } from '../../lib/http/http.ts'
import { useToast } from '../../lib/toast.ts'
import { longestWaiting } from './api.ts'
import { cursorAtom } from './atoms.ts'
import type { ListFilter } from './list/list-filter.ts'
import { useStatusTab } from './list/use-status-tab.ts'
import type { FocusTargets } from './use-focus-targets.ts'
import type { Select } from './use-selection.ts'

const withIt = ({ label, line }: ListFilter): string =>
  `${label ? ' com esta etiqueta' : ''}${line ? ' por este número' : ''}`

/** The longest waiting of the filtered, except the one in view. */
const useNextConversation = (
  selectedId: string | null,
  filter: ListFilter,
  openInTab: (contactId: string, queue: Queue) => void,
) => {
  const toast = useToast()
  return async () => {
    try {
      const { contact: next } = await longestWaiting(selectedId, filter)
      if (!next) return toast({ kind: 'info', title: `Ninguém mais aguarda${withIt(filter)}` })
      openInTab(next.id, 'waiting')
    } catch (error) {
      toast({
        kind: 'error',
        title: 'A próxima conversa não pôde ser aberta',
        description: sentenceOf(error, 'Tente de novo em instantes.'),
      })
    }
  }
}

interface Options {
  select: Select
  selectedId: string | null
  /** Undefined while the contact loads. */
  queue: Queue | undefined
  isSearching: boolean
  filter: ListFilter
  onPhone: boolean
  targets: FocusTargets
}

/** Focuses the composer; on a phone, whose keyboard would cover it, the conversation. */
const useOpen = ({ select, selectedId, onPhone, targets }: Options) => {
  const asked = useRef(false)
  const focus = () => {
    if (!onPhone) targets.focusComposer()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the conversation that was asked for is there
  useEffect(() => {
    if (asked.current) focus()
    asked.current = false
  }, [selectedId])
  return (contactId: string, messageId?: string) => {
    select(contactId, messageId)
    if (contactId === selectedId) focus()
    else asked.current = true
  }
}

export const useConversationOpening = (options: Options) => {
  const { selectedId, queue, isSearching, filter, targets } = options
  const setCursor = useSetAtom(cursorAtom)
  const open = useOpen(options)
  const { setFoundId, ...tabs } = useStatusTab({ selectedId, queue, focusList: targets.focusList })
  const openInTab = (contactId: string, itsQueue: Queue) => {
    tabs.chooseTab(itsQueue)
    setCursor(contactId)
    open(contactId)
  }
  return {
    ...tabs,
    open,
    /** `messageId`: the search result to open at. */
    openFromList: (contactId: string, messageId?: string) => {
      setCursor(contactId)
      setFoundId(isSearching ? contactId : null)
      open(contactId, messageId)
    },
    openInTab,
    openNext: useNextConversation(selectedId, filter, openInTab),
  }
}
