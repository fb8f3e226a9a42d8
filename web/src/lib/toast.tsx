import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react'
import { ToastRegion } from '../components/toast-region.tsx'
import type { ShownToast, Toast } from './shown-toast.ts'

const ToastContext = createContext<(toast: Toast) => void>(() => undefined)

/** Shows one toast at a time, bottom right: a new one takes the place of the old. */
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

/** `const toast = useToast()`, then `toast({ title, description, kind })`. Stable between renders. */
export const useToast = (): ((toast: Toast) => void) => useContext(ToastContext)
