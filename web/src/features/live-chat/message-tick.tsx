import type { MessageStatus } from '@prosa/contracts/http/live-chat'
import DoneRounded from '~icons/ic/round-done'
import DoneAllRounded from '~icons/ic/round-done-all'
import ErrorOutlineRounded from '~icons/ic/round-error-outline'
import ScheduleRounded from '~icons/ic/round-schedule'

const ticks = {
  queued: { Icon: ScheduleRounded, name: 'enviando', color: 'inherit' },
  sent: { Icon: DoneRounded, name: 'enviada', color: 'inherit' },
  delivered: { Icon: DoneAllRounded, name: 'entregue', color: 'inherit' },
  read: { Icon: DoneAllRounded, name: 'lida', color: 'info.main' },
  failed: { Icon: ErrorOutlineRounded, name: 'não enviada', color: 'danger' },
} as const

/** How far one of our messages got: clock, one tick, two ticks, two in blue, or the sign that it failed. */
export const MessageTick = ({ status }: { status: MessageStatus }) => {
  const { Icon, name, color } = ticks[status]
  return <Icon titleAccess={name} sx={{ color, fontSize: 'message.fontSize', flexShrink: 0 }} />
}
