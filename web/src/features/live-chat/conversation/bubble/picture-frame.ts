import type { MessageMedia } from '@prosa/contracts/http/live-chat'

/** `--picture-width` in px. */
export const frameWidth = 320
const flattest = 2
const tallest = 8 / 9
const unknown = 4 / 3

/** Width by height of the frame that a picture gets: its own as long as it is neither a strip nor a tower. */
export const frameRatio = ({ width, height }: Pick<MessageMedia, 'width' | 'height'>): number =>
  width && height ? Math.min(flattest, Math.max(tallest, width / height)) : unknown

/** Reserves the place of a picture before it is there. */
export const frameStyle = {
  position: 'relative',
  display: 'block',
  width: 'min(var(--picture-width), 62cqi)',
  overflow: 'hidden',
  borderRadius: 'var(--radius-panel)',
  bgcolor: 'sunken',
} as const
