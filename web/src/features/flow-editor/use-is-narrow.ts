import { useTheme } from '@mui/material/styles'
import { useSyncExternalStore } from 'react'

/**
 * Too narrow for a canvas beside a panel. Not MUI's `useMediaQuery`, which is in a chunk with dialogs that this screen would load
 * (web/test/production-build.test.ts).
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
