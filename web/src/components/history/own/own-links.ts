import { ownHistory } from '../../../lib/own-history-address.ts'
import { ownRecordThen } from '../../../lib/past-addresses.ts'
import type { TimelineLinks } from '../timeline-links.ts'

export const ownLinks: TimelineLinks = {
  record: (registro) => ownHistory({ registro }),
  actor: () => undefined,
  asItWas: ownRecordThen,
}
