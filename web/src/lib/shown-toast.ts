export type Toast = {
  title: string
  description?: string
  kind: 'success' | 'error' | 'info'
  /** What can be done about it as long as the toast stands; it goes then. */
  action?: { label: string; onPress: () => void }
}

/** With each new toast `number` grows; a closed one stays until the next takes its place. */
export type ShownToast = Toast & { number: number; open: boolean }
