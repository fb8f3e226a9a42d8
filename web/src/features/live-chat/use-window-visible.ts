import { useSyncExternalStore } from 'react'

const follow = (changed: () => void) => {
  document.addEventListener('visibilitychange', changed)
  return () => document.removeEventListener('visibilitychange', changed)
}

/** False while the tab is in the background or the window minimised. */
export const useWindowVisible = (): boolean =>
  useSyncExternalStore(follow, () => document.visibilityState === 'visible')
