import type { ServiceStatus } from '@prosa/contracts/http/live-chat'
import { useSetAtom } from 'jotai'
import { useEffect, useRef } from 'react'
import { cursorAtom } from './atoms.ts'
import type { ListFilter } from './list/list-filter.ts'
import { useNextConversation } from './list/use-next-conversation.ts'
import { useStatusTab } from './list/use-status-tab.ts'
import type { FocusTargets } from './use-focus-targets.ts'
import type { Select } from './use-selection.ts'

interface Options {
  select: Select
  selectedId: string | null
  /** Of the selected contact, once it is read. */
  status: ServiceStatus | undefined
  isSearching: boolean
  filter: ListFilter
  onPhone: boolean
  targets: FocusTargets
}

/** Opens a conversation with the caret where it is answered; on a phone, whose keyboard would cover it, the conversation itself. */
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

/** The ways to a conversation, and to the tab that lists it. */
export const useConversationOpening = (options: Options) => {
  const { selectedId, status, isSearching, filter, targets } = options
  const setCursor = useSetAtom(cursorAtom)
  const open = useOpen(options)
  const { setFoundId, ...tabs } = useStatusTab({ selectedId, status, focusList: targets.focusList })
  const openInTab = (contactId: string, itsStatus: ServiceStatus) => {
    tabs.chooseTab(itsStatus)
    setCursor(contactId)
    open(contactId)
  }
  return {
    ...tabs,
    open,
    /** A row of the list or of a search, at a message that was found. */
    openFromList: (contactId: string, messageId?: string) => {
      setCursor(contactId)
      setFoundId(isSearching ? contactId : null)
      open(contactId, messageId)
    },
    openInTab,
    openNext: useNextConversation(selectedId, filter, openInTab),
  }
}
