import { ownHistory } from '../../../lib/paths.ts'
import type { TimelineLinks } from '../timeline-links.ts'

export const ownLinks: TimelineLinks = {
  record: (registro) => ownHistory({ registro }),
  actor: () => undefined,
}
