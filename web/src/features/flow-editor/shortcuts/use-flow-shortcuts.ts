import { useEffect, useRef } from 'react'
import { isTyping } from '../../../lib/is-typing.ts'
import { type FlowShortcut, flowShortcutOf, worksWhileTyping } from './flow-shortcuts.ts'

/** A dialog that fades out has `aria-hidden` and no longer takes keys. */
const isSomethingOpen = (): boolean =>
  [...document.querySelectorAll('[role="dialog"], [role="menu"]')].some(
    (element) => element.closest('[aria-hidden="true"]') === null,
  )

/** The shell navigates with G and another key. */
const sequenceMs = 1500

/** If `handle` returns false, the browser handles the key. */
export const useFlowShortcuts = (handle: (shortcut: FlowShortcut, target: Element) => boolean): void => {
  const latest = useRef(handle)
  useEffect(() => {
    latest.current = handle
  })
  useEffect(() => {
    let navigationKeyAtMs = Number.NEGATIVE_INFINITY
    const onKeyDown = (event: KeyboardEvent) => {
      const { target } = event
      if (event.defaultPrevented || event.isComposing || !(target instanceof Element) || isSomethingOpen()) return
      const isNavigationKey = event.timeStamp - navigationKeyAtMs < sequenceMs
      navigationKeyAtMs = event.key.toLowerCase() === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY
      const shortcut = flowShortcutOf(event)
      if (shortcut === null || isNavigationKey || (isTyping(target) && !worksWhileTyping(shortcut))) return
      if (latest.current(shortcut, target)) event.preventDefault()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}
