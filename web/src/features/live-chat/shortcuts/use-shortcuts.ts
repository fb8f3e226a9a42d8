import { type RefObject, useEffect, useRef } from 'react'
import { isTyping } from '../../../lib/browser/is-typing.ts'
import { isText, type Shortcut, shortcutOf, worksWhileTyping } from './shortcuts.ts'

/** A dialog that fades out is hidden from assistive technology and captures no keys. */
const isSomethingOpen = (): boolean =>
  [...document.querySelectorAll('[role="dialog"], [role="menu"]')].some(
    (element) => element.closest('[aria-hidden="true"]') === null,
  )

const hasOwnUse = (target: Element, shortcut: Shortcut): boolean => {
  if (shortcut === 'open') return target.closest('a, button, [role="tab"]') !== null
  if (shortcut === 'up' || shortcut === 'down') return target.closest('[data-history]') !== null
  return false
}

/** True when Tab, Esc or an arrow was used since the last pointer press. */
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
  /** False leaves the key to the browser. */
  handle: (shortcut: Shortcut) => boolean
  list: RefObject<HTMLElement | null>
  /** Null while no conversation is open. */
  write: (() => unknown) | null
}

/**
 * Not in dialogs and menus; while typing only with Ctrl or Alt. With an open conversation, letters are commands only in a list reached by
 * keys: elsewhere they are text.
 */
export const useShortcuts = (options: Options): void => {
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  const reachedByKeys = useReachedByKeys()

  useEffect(() => {
    const isInList = () => latest.current.list.current?.contains(document.activeElement) ?? false
    /** The history has letters of its own; only the others are written. */
    const isInHistory = (target: Element) => reachedByKeys.current && target.closest('[data-history]') !== null
    /** Only moves the focus: the letter still arrives in the composer. */
    const writes = (event: KeyboardEvent, target: Element) => {
      const { write } = latest.current
      if (!write || !isText(event) || isTyping(target) || (reachedByKeys.current && isInList())) return false
      write()
      return true
    }

    // Capture phase: the letter must not act on anything else.
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
      // A letter that starts a message must arrive in the composer.
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
