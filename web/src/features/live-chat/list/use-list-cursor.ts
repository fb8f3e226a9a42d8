import type { Contact } from '@prosa/contracts/http/live-chat'
import { useAtom } from 'jotai'
import type { RefObject } from 'react'
import { cursorAtom } from '../atoms.ts'

/** `move` returns false without a row to move to. */
export const useListCursor = (contacts: Contact[], selectedId: string | null, list: RefObject<HTMLElement | null>) => {
  const [cursor, setCursor] = useAtom(cursorAtom)
  const move = (step: 1 | -1): boolean => {
    const from = contacts.findIndex(({ id }) => id === (cursor ?? selectedId))
    const to = contacts[from === -1 ? 0 : Math.min(Math.max(from + step, 0), contacts.length - 1)]
    if (!to) return false
    setCursor(to.id)
    list.current?.focus()
    return true
  }
  return { cursor, setCursor, move }
}
