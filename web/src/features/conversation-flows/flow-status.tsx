import type { FlowStatus } from '@prosa/contracts/http/flows'
import { StatusBadge } from '../../components/status-badge.tsx'
import type { StatusTone } from '../../components/status-dot.tsx'

export const flowStatuses: Record<FlowStatus, { label: string; tone: StatusTone }> = {
  draft: { label: 'Rascunho', tone: 'info' },
  active: { label: 'Ativo', tone: 'good' },
  inactive: { label: 'Inativo', tone: 'busy' },
}

export const FlowStatusBadge = ({ status }: { status: FlowStatus }) => <StatusBadge {...flowStatuses[status]} />
