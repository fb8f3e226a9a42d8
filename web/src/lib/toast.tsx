import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react'
import { type ShownToast, ToastRegion } from '../components/toast-region.tsx'

export type Toast = {
  title: string
  description?: string
  kind: 'success' | 'error' | 'info'
  /** What can be done about it as long as the toast stands; it goes then. */
  action?: { label: string; onPress: () => void }
}

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
