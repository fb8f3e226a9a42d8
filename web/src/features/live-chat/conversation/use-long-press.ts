import { type MouseEvent, type PointerEvent, type TouchEvent, useEffect, useRef } from 'react'

const pressMs = 450
/** Farther moves, in px, are scrolling. */
const slackPx = 10

/** `onPress` gets the pressed element; the click that follows is suppressed. */
export const useLongPress = (onPress: (target: Element) => void) => {
  const latest = useRef(onPress)
  latest.current = onPress
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const from = useRef({ x: 0, y: 0 })
  const isPressed = useRef(false)
  const stop = () => clearTimeout(timer.current)
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    onPointerDown({ pointerType, isPrimary, clientX, clientY, target }: PointerEvent) {
      stop()
      isPressed.current = false
      if (pointerType !== 'touch' || !isPrimary || !(target instanceof Element)) return
      from.current = { x: clientX, y: clientY }
      timer.current = setTimeout(() => {
        isPressed.current = true
        latest.current(target)
      }, pressMs)
    },
    onPointerMove({ clientX, clientY }: PointerEvent) {
      if (Math.hypot(clientX - from.current.x, clientY - from.current.y) > slackPx) stop()
    },
    onPointerUp: stop,
    onPointerCancel: stop,
    // The browser may tap what has opened under the finger.
    onTouchEnd(event: TouchEvent) {
      if (isPressed.current) event.preventDefault()
    },
    // Suppresses the browser's own menu.
    onContextMenu(event: MouseEvent) {
      if (isPressed.current) event.preventDefault()
    },
    onClickCapture(event: MouseEvent) {
      if (!isPressed.current) return
      isPressed.current = false
      event.preventDefault()
      event.stopPropagation()
    },
  }
}
