export const radius = {
  control: 'var(--radius-control)',
  panel: 'var(--radius-panel)',
  bubble: 'var(--radius-bubble)',
} as const
