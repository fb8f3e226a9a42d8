import { type RefObject, useEffect, useRef } from 'react'
import { isTyping } from '../../../lib/is-typing.ts'
import { isText, type Shortcut, shortcutOf, worksWhileTyping } from './shortcuts.ts'

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

/** Whether somebody moved by keys to where they are: since a pointer was last pressed they used Tab, Esc or an arrow. */
const useReachedByKeys = (): RefObject<boolean> => {
  const reached = useRef(false)
  useEffect(() => {
    const byPointer = () => {
      reached.current = false
    }
    const byKey = ({ key }: KeyboardEvent) => {
      if (['Tab', 'Escape', 'ArrowUp', 'ArrowDown'].includes(key)) reached.current = true
    }
    window.addEventListener('pointerdown', byPointer, true)
    window.addEventListener('keydown', byKey, true)
    return () => {
      window.removeEventListener('pointerdown', byPointer, true)
      window.removeEventListener('keydown', byKey, true)
    }
  }, [])
  return reached
}

interface Options {
  /** A handler that answers false leaves the key to the browser. */
  handle: (shortcut: Shortcut) => boolean
  /** Where the conversations are listed. */
  list: RefObject<HTMLElement | null>
  /** Puts the caret where the open conversation is answered; null while none is open. */
  write: (() => unknown) | null
}

/**
 * Listens for the keys of live chat. None fires in a dialog or menu, and only those with Ctrl or Alt while the person types.
 * While a conversation is open, a letter is a command only in the list, and only for whoever got there by keys: anybody else
 * means to write, and writes.
 */
export const useShortcuts = (options: Options): void => {
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  const reachedByKeys = useReachedByKeys()

  useEffect(() => {
    const isInList = () => latest.current.list.current?.contains(document.activeElement) ?? false
    /** The messages have letters of their own; only those that they do not use are written. */
    const isInHistory = (target: Element) => reachedByKeys.current && target.closest('[data-history]') !== null
    /** The letter still arrives in the composer, which has the focus then. */
    const writes = (event: KeyboardEvent, target: Element) => {
      const { write } = latest.current
      if (!write || !isText(event) || isTyping(target) || (reachedByKeys.current && isInList())) return false
      write()
      return true
    }

    // In the capture phase, so that a letter acts on nothing on its way.
    const writeAtOnce = (event: KeyboardEvent) => {
      const { target } = event
      if (!(target instanceof Element) || event.isComposing || isSomethingOpen() || isInHistory(target)) return
      if (writes(event, target)) event.stopPropagation()
    }

    const onKeyDown = (event: KeyboardEvent) => {
      const target = event.target
      if (event.defaultPrevented || event.isComposing || !(target instanceof Element)) return
      if (isSomethingOpen() || writes(event, target)) return
      const shortcut = shortcutOf(event)
      if (!shortcut || hasOwnUse(target, shortcut)) return
      if (isTyping(target) && !worksWhileTyping(event)) return
      // The letter that starts a message must still arrive in the composer.
      if (latest.current.handle(shortcut) && shortcut !== 'write') event.preventDefault()
    }
    window.addEventListener('keydown', writeAtOnce, true)
    window.addEventListener('keydown', onKeyDown)
    return () => {
      window.removeEventListener('keydown', writeAtOnce, true)
      window.removeEventListener('keydown', onKeyDown)
    }
  }, [reachedByKeys])
}
