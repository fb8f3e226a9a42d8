import { type RefObject, useEffect } from 'react'
import type { ContactList } from './use-contact-list.ts'

/** Releases the list on typing elsewhere and on unmount. */
export const useListRelease = (viewport: RefObject<HTMLElement | null>, onFreeze: ContactList['onFreeze']): void => {
  // An idle pointer over the list freezes nothing while somebody types.
  useEffect(() => {
    const release = (event: KeyboardEvent) => {
      if (!(event.target instanceof Node && viewport.current?.contains(event.target))) onFreeze('pointer', false)
    }
    window.addEventListener('keydown', release, true)
    return () => {
      window.removeEventListener('keydown', release, true)
      onFreeze('pointer', false)
      onFreeze('focus', false)
    }
  }, [onFreeze, viewport])
}
