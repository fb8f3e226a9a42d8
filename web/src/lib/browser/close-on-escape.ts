import type { KeyboardEvent } from 'react'

/** For a panel: an Escape that closes a dialog or menu of its own, drawn elsewhere, does not close it; one that does closes nothing around it. */
export const closeOnEscape = (onClose: () => void) => (event: KeyboardEvent) => {
  if (event.key !== 'Escape' || !event.currentTarget.contains(event.target as Node)) return
  event.preventDefault()
  event.stopPropagation()
  onClose()
}
