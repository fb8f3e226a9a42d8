import { type RefObject, useEffect } from 'react'
import type { ContactList } from './use-contact-list.ts'

/** Releases the list on typing elsewhere and on unmount. */
export const useReleasedHold = (viewport: RefObject<HTMLElement | null>, onHold: ContactList['onHold']): void => {
  // An idle pointer over the list holds nothing while somebody types.
  useEffect(() => {
    const letGo = (event: KeyboardEvent) => {
      if (!(event.target instanceof Node && viewport.current?.contains(event.target))) onHold('pointer', false)
    }
    window.addEventListener('keydown', letGo, true)
    return () => {
      window.removeEventListener('keydown', letGo, true)
      onHold('pointer', false)
      onHold('focus', false)
    }
  }, [onHold, viewport])
}
