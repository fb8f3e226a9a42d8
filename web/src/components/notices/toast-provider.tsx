import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { type ShownToast, type Toast, ToastContext } from '../../lib/toast.ts'
import { ToastRegion } from './toast-region.tsx'

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
