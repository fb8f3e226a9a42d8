import { useTheme } from '@mui/material/styles'
import { useSyncExternalStore } from 'react'

/**
 * Whether there is no room for a canvas beside a panel: the list is shown first, and panels fill the screen. By itself: MUI's own
 * hook, shared with live chat, would bring the dialogs along that this screen needs (web/test/production-build.test.ts).
 */
export const useIsNarrow = (): boolean => {
  const { md } = useTheme().breakpoints.values
  const query = `(max-width: ${md - 0.05}px)`
  return useSyncExternalStore(
    (onChange) => {
      const media = window.matchMedia?.(query)
      media?.addEventListener('change', onChange)
      return () => media?.removeEventListener('change', onChange)
    },
    () => window.matchMedia?.(query).matches ?? false,
  )
}
