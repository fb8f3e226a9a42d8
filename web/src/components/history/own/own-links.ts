import { ownHistory } from '../../../lib/own-history-address.ts'
import type { TimelineLinks } from '../timeline-links.ts'

export const ownLinks: TimelineLinks = {
  record: (registro) => ownHistory({ registro }),
  actor: () => undefined,
}
