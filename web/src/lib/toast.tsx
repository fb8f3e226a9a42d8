import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react'
import { ToastRegion } from '../components/toast-region.tsx'
import type { ShownToast, Toast } from './shown-toast.ts'

const ToastContext = createContext<(toast: Toast) => void>(() => undefined)

/** One toast at a time. */
export const ToastProvider = ({ children }: { children: ReactNode }) => {
  const [shown, setShown] = useState<ShownToast | null>(null)
  const toast = useCallback(
    (next: Toast) => setShown((previous) => ({ ...next, number: (previous?.number ?? 0) + 1, open: true })),
    [],
  )
  const close = useCallback(() => setShown((toast) => toast && { ...toast, open: false }), [])
  const region = useMemo(() => <ToastRegion toast={shown} onClose={close} />, [shown, close])
  return (
    <ToastContext.Provider value={toast}>
      {children}
      {region}
    </ToastContext.Provider>
  )
}

/** Stable between renders. */
export const useToast = (): ((toast: Toast) => void) => useContext(ToastContext)
