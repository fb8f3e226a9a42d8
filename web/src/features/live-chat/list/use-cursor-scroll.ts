import type { Contact } from '@prosa/contracts/http/live-chat'
import type { Virtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useRef } from 'react'

interface Options {
  contacts: Contact[]
  cursor: string | null
  virtual: Pick<Virtualizer<HTMLDivElement, Element>, 'scrollToIndex'>
  onSelect: (contactId: string) => void
}

/** Keeps the row of the cursor in view. Answers what selects a row by a press, which scrolls nothing: that row is in view. */
export const useCursorScroll = ({ contacts, cursor, virtual, onSelect }: Options) => {
  // Only a move of the cursor scrolls to it. Rows that change places under it do not, nor does a press: what it was on is in view.
  const order = useRef(contacts)
  order.current = contacts
  const pressed = useRef<string | null>(null)
  // The same for as long as the list is there: another one would draw every row again, with each press.
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
