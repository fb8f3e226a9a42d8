import Box from '@mui/material/Box'
import type { HistoryIcon } from '@prosa/contracts/http/history'
import type { ComponentType } from 'react'
import FlowIcon from '~icons/ic/round-account-tree'
import FileIcon from '~icons/ic/round-attach-file'
import WorkIcon from '~icons/ic/round-build'
import MessageIcon from '~icons/ic/round-chat-bubble'
import ErasedIcon from '~icons/ic/round-delete'
import TroubleIcon from '~icons/ic/round-error-outline'
import AccessIcon from '~icons/ic/round-event-available'
import EndIcon from '~icons/ic/round-event-busy'
import ConversationIcon from '~icons/ic/round-forum'
import SecurityIcon from '~icons/ic/round-key'
import AccountIcon from '~icons/ic/round-person'
import PlanIcon from '~icons/ic/round-sell'
import PurchaseIcon from '~icons/ic/round-shopping-cart'
import ConnectionIcon from '~icons/ic/round-smartphone'
import RefundIcon from '~icons/ic/round-undo'
import ReadingIcon from '~icons/ic/round-visibility'
import WebhookIcon from '~icons/ic/round-webhook'

const icons: Record<HistoryIcon, ComponentType> = {
  account: AccountIcon,
  security: SecurityIcon,
  reading: ReadingIcon,
  access: AccessIcon,
  end: EndIcon,
  purchase: PurchaseIcon,
  refund: RefundIcon,
  webhook: WebhookIcon,
  plan: PlanIcon,
  connection: ConnectionIcon,
  conversation: ConversationIcon,
  message: MessageIcon,
  file: FileIcon,
  trouble: TroubleIcon,
  erased: ErasedIcon,
  work: WorkIcon,
  flow: FlowIcon,
}

type Tone = { color: string; bgcolor: string }
const calm: Tone = { color: 'text.secondary', bgcolor: 'sunken' }
const good: Tone = { color: 'primary.main', bgcolor: 'primarySoft' }
const bad: Tone = { color: 'danger', bgcolor: 'dangerSoft' }

const tones: Partial<Record<HistoryIcon, Tone>> = { access: good, end: bad, refund: bad, trouble: bad, erased: bad }

export const HistoryMark = ({ icon }: { icon: HistoryIcon }) => {
  const Icon = icons[icon]
  return (
    <Box
      aria-hidden
      sx={{
        ...(tones[icon] ?? calm),
        display: 'grid',
        placeItems: 'center',
        flex: 'none',
        width: 'var(--target-small)',
        height: 'var(--target-small)',
        borderRadius: 'var(--radius-panel)',
        '& svg': { fontSize: 'var(--icon)' },
      }}
    >
      <Icon />
    </Box>
  )
}
