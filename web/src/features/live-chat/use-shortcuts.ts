import { useEffect, useRef } from 'react'
import { type Shortcut, shortcutOf } from './shortcuts.ts'

const isTyping = (target: Element) => target.closest('input, textarea, select, [contenteditable="true"]') !== null

const hasOwnUse = (target: Element, shortcut: Shortcut): boolean => {
  if (shortcut === 'open') return target.closest('a, button, [role="tab"]') !== null
  if (shortcut === 'up' || shortcut === 'down') return target.closest('[role="log"]') !== null
  return false
}

/**
 * Listens for the keys of live chat. None fires while the person types, in a dialog or menu, or with Ctrl, Alt or Command.
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
      if (isTyping(target) || document.querySelector('[role="dialog"], [role="menu"]')) return
      const shortcut = shortcutOf(event)
      if (!shortcut || hasOwnUse(target, shortcut)) return
      // The letter that starts a message must still arrive in the composer.
      if (latest.current(shortcut) && shortcut !== 'write') event.preventDefault()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}
