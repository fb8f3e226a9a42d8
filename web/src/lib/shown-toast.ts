export type Toast = {
  title: string
  description?: string
  kind: 'success' | 'error' | 'info'
  /** Pressing it closes the toast. */
  action?: { label: string; onPress: () => void }
}

/** `number` grows with each toast. */
export type ShownToast = Toast & { number: number; open: boolean }
