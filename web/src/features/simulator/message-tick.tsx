import type { MessageStatus } from '@prosa/contracts/http/simulator'
import DoneIcon from '~icons/ic/round-done'
import DoneAllIcon from '~icons/ic/round-done-all'
import ErrorIcon from '~icons/ic/round-error-outline'
import ScheduleIcon from '~icons/ic/round-schedule'

const ticks = {
  recusada: { Icon: ErrorIcon, color: 'error' },
  enviando: { Icon: ScheduleIcon, color: 'inherit' },
  enviada: { Icon: DoneIcon, color: 'inherit' },
  entregue: { Icon: DoneAllIcon, color: 'inherit' },
  lida: { Icon: DoneAllIcon, color: 'info' },
} as const

export const MessageTick = ({ status }: { status: MessageStatus }) => {
  const { Icon, color } = ticks[status]
  return <Icon titleAccess={status} color={color} sx={{ fontSize: 'var(--icon-small)', flex: 'none' }} />
}
