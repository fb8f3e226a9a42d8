import { type RefObject, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'

/** Restores scroll positions on back and forward; a new screen opens at its top. */
export const useScrollRestoration = (frame: RefObject<HTMLElement | null>) => {
  const { key } = useLocation()
  const manner = useNavigationType()
  /** In px, by key of the history entry. */
  const scrollTops = useRef(new Map<string, number>())
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each step
  useLayoutEffect(() => {
    if (frame.current) frame.current.scrollTop = (manner === 'POP' && scrollTops.current.get(key)) || 0
  }, [key])
  return { onScroll: () => scrollTops.current.set(key, frame.current?.scrollTop ?? 0) }
}
