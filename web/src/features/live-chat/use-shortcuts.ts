import { useEffect, useRef } from 'react'
import { isTyping } from '../../lib/is-typing.ts'
import { type Shortcut, shortcutOf, worksWhileTyping } from './shortcuts.ts'

/** What is fading away is hidden from assistive technology, and keeps no key to itself any more. */
const isSomethingOpen = (): boolean =>
  [...document.querySelectorAll('[role="dialog"], [role="menu"]')].some(
    (element) => element.closest('[aria-hidden="true"]') === null,
  )

const hasOwnUse = (target: Element, shortcut: Shortcut): boolean => {
  if (shortcut === 'open') return target.closest('a, button, [role="tab"]') !== null
  if (shortcut === 'up' || shortcut === 'down') return target.closest('[data-history]') !== null
  return false
}

/**
 * Listens for the keys of live chat. None fires in a dialog or menu, and only those with Ctrl while the person types.
 * A handler that answers false leaves the key to the browser.
 */
export const useShortcuts = (handle: (shortcut: Shortcut) => boolean): void => {
  const latest = useRef(handle)
  useEffect(() => {
    latest.current = handle
  })

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const target = event.target
      if (event.defaultPrevented || event.isComposing || !(target instanceof Element)) return
      if (isSomethingOpen()) return
      const shortcut = shortcutOf(event)
      if (!shortcut || hasOwnUse(target, shortcut)) return
      if (isTyping(target) && !worksWhileTyping(shortcut)) return
      // The letter that starts a message must still arrive in the composer.
      if (latest.current(shortcut) && shortcut !== 'write') event.preventDefault()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}
