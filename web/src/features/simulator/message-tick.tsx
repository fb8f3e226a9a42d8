import DoneAllIcon from '@mui/icons-material/DoneAllRounded'
import DoneIcon from '@mui/icons-material/DoneRounded'
import ErrorIcon from '@mui/icons-material/ErrorOutlineRounded'
import ScheduleIcon from '@mui/icons-material/ScheduleRounded'
import type { MessageStatus } from '@prosa/sandbox/simulator/simulator-contract'

const ticks = {
  recusada: { Icon: ErrorIcon, color: 'error' },
  enviando: { Icon: ScheduleIcon, color: 'inherit' },
  enviada: { Icon: DoneIcon, color: 'inherit' },
  entregue: { Icon: DoneAllIcon, color: 'inherit' },
  lida: { Icon: DoneAllIcon, color: 'info' },
} as const

/** How far a written message got: one tick, two, two in blue. */
export const MessageTick = ({ status }: { status: MessageStatus }) => {
  const { Icon, color } = ticks[status]
  return <Icon titleAccess={status} color={color} sx={{ fontSize: 'var(--icon-small)', flex: 'none' }} />
}
