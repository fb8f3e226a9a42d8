import { type RefObject, useEffect } from 'react'
import type { ContactList } from './use-contact-list.ts'

/** Lets the list move again when somebody writes elsewhere, and when the list goes. */
export const useReleasedHold = (viewport: RefObject<HTMLElement | null>, onHold: ContactList['onHold']): void => {
  // A pointer that was left over the list by somebody who writes holds nothing until it is moved.
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
