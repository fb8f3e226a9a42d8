import { createContext, useContext } from 'react'

export type Toast = {
  title: string
  description?: string
  kind: 'success' | 'error' | 'info'
  /** Pressing it closes the toast. */
  action?: { label: string; onPress: () => void }
}

/** `number` grows with each toast. */
export type ShownToast = Toast & { number: number; open: boolean }

export const ToastContext = createContext<(toast: Toast) => void>(() => undefined)

/** Stable between renders. */
export const useToast = (): ((toast: Toast) => void) => useContext(ToastContext)
