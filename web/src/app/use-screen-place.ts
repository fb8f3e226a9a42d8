import { type RefObject, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'

/** How far the screens in `frame` are scrolled: each opens at its top, and back and forward lead to where one was left. */
export const useScreenPlace = (frame: RefObject<HTMLElement | null>) => {
  const { key } = useLocation()
  const manner = useNavigationType()
  /** In px, by the step of the browser's history. */
  const places = useRef(new Map<string, number>())
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each step
  useLayoutEffect(() => {
    if (frame.current) frame.current.scrollTop = (manner === 'POP' && places.current.get(key)) || 0
  }, [key])
  return { onScroll: () => places.current.set(key, frame.current?.scrollTop ?? 0) }
}
