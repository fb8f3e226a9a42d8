import type { FlowStatus } from '@prosa/contracts/http/flows'
import { StatusBadge } from '../../components/status-badge.tsx'
import { flowStatuses } from '../../lib/flows.ts'

export const FlowStatusBadge = ({ status }: { status: FlowStatus }) => <StatusBadge {...flowStatuses[status]} />
