import type { Contact } from '@prosa/contracts/http/live-chat'
import type { Virtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useRef } from 'react'

interface Options {
  contacts: Contact[]
  cursor: string | null
  virtual: Pick<Virtualizer<HTMLDivElement, Element>, 'scrollToIndex'>
  onSelect: (contactId: string) => void
}

/** The returned handler selects without scrolling: a pressed row is in view. */
export const useCursorScroll = ({ contacts, cursor, virtual, onSelect }: Options) => {
  // Only moves of the cursor scroll, not rows that change order under it, nor presses.
  const order = useRef(contacts)
  order.current = contacts
  const pressed = useRef<string | null>(null)
  // Stable: a new handler would render every row again.
  const select = useRef(onSelect)
  select.current = onSelect
  const press = useCallback((contactId: string) => {
    pressed.current = contactId
    select.current(contactId)
  }, [])
  useEffect(() => {
    const wasPressed = cursor === pressed.current
    pressed.current = null
    if (wasPressed) return
    const index = order.current.findIndex(({ id }) => id === cursor)
    if (index >= 0) virtual.scrollToIndex(index, { align: 'auto' })
  }, [cursor, virtual])
  return press
}
