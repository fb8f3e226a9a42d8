import { useSyncExternalStore } from 'react'

const follow = (changed: () => void) => {
  document.addEventListener('visibilitychange', changed)
  return () => document.removeEventListener('visibilitychange', changed)
}

/** False for a background tab or minimised window. */
export const useWindowVisible = (): boolean =>
  useSyncExternalStore(follow, () => document.visibilityState === 'visible')
