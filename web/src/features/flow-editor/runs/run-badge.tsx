import type { FlowRun } from '@prosa/contracts/http/flow-runs'
import { StatusBadge } from '../../../components/status-badge.tsx'
import type { StatusTone } from '../../../lib/format/status-tone.ts'
import { type EndReason, endReasonNames } from '../flow-words.ts'

const tones: Record<EndReason, StatusTone> = {
  completed: 'good',
  handed_over: 'good',
  went_on: 'good',
  accepted: 'info',
  silence: 'info',
  contact_merged: 'info',
  contact_erased: 'info',
  flow_deleted: 'bad',
  connection_removed: 'bad',
  too_many_steps: 'bad',
  stopped: 'bad',
  possible_robot: 'bad',
  unanswered: 'bad',
  waits_for_person: 'info',
}

export const RunBadge = ({ run: { endedAt, reason } }: { run: Pick<FlowRun, 'endedAt' | 'reason'> }) => {
  if (reason !== null) return <StatusBadge tone={tones[reason]} label={endReasonNames[reason]} />
  return (
    <StatusBadge tone={endedAt === null ? 'busy' : 'info'} label={endedAt === null ? 'Em andamento' : 'Terminou'} />
  )
}
