import { Link } from 'react-router-dom'
import { ownHistory } from '../../../lib/own-history-address.ts'
import { pastAddress } from '../../../lib/paths.ts'
import type { TimelineLinks } from '../timeline-links.ts'
import { RecordThenButton } from './record-then.tsx'

export const ownLinks: TimelineLinks = {
  record: (registro) => ownHistory({ registro }),
  actor: () => undefined,
  asItWas: (em, { kind, id, name }) => {
    if (kind === 'contact') return <Link to={pastAddress(em, id)}>Ver como era</Link>
    return kind === 'connection' || kind === 'flow' ? <RecordThenButton {...{ em, kind, id, name }} /> : null
  },
}
