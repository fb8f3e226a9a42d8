import type { MessageStatus } from '@prosa/contracts/http/live-chat'
import { useAtomValue } from 'jotai'
import DoneRounded from '~icons/ic/round-done'
import DoneAllRounded from '~icons/ic/round-done-all'
import ErrorOutlineRounded from '~icons/ic/round-error-outline'
import ScheduleRounded from '~icons/ic/round-schedule'
import { linesAwayAtom } from './atoms.ts'

const ticks = {
  queued: { Icon: ScheduleRounded, name: 'enviando', color: 'inherit' },
  sent: { Icon: DoneRounded, name: 'enviada', color: 'inherit' },
  delivered: { Icon: DoneAllRounded, name: 'entregue', color: 'inherit' },
  read: { Icon: DoneAllRounded, name: 'lida', color: 'info.main' },
  failed: { Icon: ErrorOutlineRounded, name: 'não enviada', color: 'danger' },
} as const

const awaiting = 'aguardando a conexão'

interface Props {
  status: MessageStatus
  /** Null when unknown. */
  connectionId: string | null
}

const useWaits = ({ status, connectionId }: Props): boolean => {
  const away = useAtomValue(linesAwayAtom)
  return status === 'queued' && (away === 'all' || (connectionId !== null && away.includes(connectionId)))
}

export const MessageTick = (props: Props) => {
  const { Icon, name, color } = ticks[props.status]
  const waits = useWaits(props)
  return <Icon titleAccess={waits ? awaiting : name} sx={{ color, fontSize: 'message.fontSize', flexShrink: 0 }} />
}

/** Visible words only: screen readers get the tick's name. */
export const AwaitingLine = (props: Props) => (useWaits(props) ? <span aria-hidden>{`${awaiting} ·`}</span> : null)
