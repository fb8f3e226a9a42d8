import type { MessageMedia } from '@prosa/contracts/http/live-chat'

/** `--picture-width` in px. */
export const frameWidth = 320
const flattest = 2
const tallest = 8 / 9
const unknown = 4 / 3

/** Width / height, limited for very flat or tall pictures. */
export const frameRatio = ({ width, height }: Pick<MessageMedia, 'width' | 'height'>): number =>
  width && height ? Math.min(flattest, Math.max(tallest, width / height)) : unknown

export const frameStyle = {
  position: 'relative',
  display: 'block',
  width: 'min(var(--picture-width), 62cqi)',
  overflow: 'hidden',
  borderRadius: 'var(--radius-panel)',
  bgcolor: 'sunken',
} as const
