import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import Drawer from '@mui/material/Drawer'
import IconButton from '@mui/material/IconButton'
import type { Message } from '@prosa/contracts/http/live-chat'
import type { ComponentType } from 'react'
import AddReactionRounded from '~icons/ic/round-add-reaction'
import CopyRounded from '~icons/ic/round-content-copy'
import DeleteRounded from '~icons/ic/round-delete'
import EditRounded from '~icons/ic/round-edit'
import ReplyRounded from '~icons/ic/round-reply'
import { WhyButton } from '../../../../components/why/why-button.tsx'
import { MessageTick } from '../../message-tick.tsx'
import { canBeDeleted, canBeEdited } from '../corrections/changeable.ts'
import { type BubbleActions, canBeAnswered, ownReaction } from './bubble-actions.ts'
import { summaryOf } from './media-words.ts'
import { CommonReactions } from './reaction-menu.tsx'

interface Entry {
  label: string
  Icon: ComponentType
  onChoose: () => void
}

const entriesOf = (message: Message, actions: BubbleActions): Entry[] => [
  ...(canBeAnswered(message)
    ? [{ label: 'Responder citando', Icon: ReplyRounded, onChoose: () => actions.onReply(message) }]
    : []),
  ...(canBeEdited(message) ? [{ label: 'Editar', Icon: EditRounded, onChoose: () => actions.onEdit(message) }] : []),
  ...(message.content.trim() && message.kind !== 'deleted'
    ? [{ label: 'Copiar texto', Icon: CopyRounded, onChoose: () => actions.onCopy(message) }]
    : []),
  ...(canBeDeleted(message)
    ? [{ label: 'Apagar para todos', Icon: DeleteRounded, onChoose: () => actions.onDelete(message) }]
    : []),
]

interface Props {
  message: Message
  actions: BubbleActions
  onClose: () => void
}

export const MessageSheet = ({ message, actions, onClose }: Props) => {
  const current = ownReaction(message)
  const isAnswerable = canBeAnswered(message)
  const entries = entriesOf(message, actions)
  const choose = (action: () => void) => () => {
    onClose()
    action()
  }
  return (
    <Drawer
      anchor="bottom"
      open
      onClose={onClose}
      slotProps={{
        paper: {
          role: 'dialog',
          'aria-label': `Ações da mensagem: ${summaryOf(message)}`,
          sx: {
            borderRadius: 'var(--radius-panel) var(--radius-panel) 0 0',
            pb: 'max(8px, env(safe-area-inset-bottom))',
          },
        },
      }}
    >
      {isAnswerable && (
        <Box
          sx={{
            display: 'flex',
            justifyContent: 'space-between',
            px: 2,
            py: 2,
            borderBottom: '1px solid',
            borderColor: 'divider',
          }}
        >
          <CommonReactions current={current} onChoose={(emoji) => choose(() => actions.onReact(message, emoji))()} />
          <IconButton
            aria-label="Outra reação"
            color="secondary"
            onClick={choose(() => actions.onChooseReaction(message))}
            sx={{ width: 44, height: 44 }}
          >
            <AddReactionRounded />
          </IconButton>
        </Box>
      )}
      {entries.map(({ label, Icon, onChoose }) => (
        <ButtonBase
          key={label}
          onClick={choose(onChoose)}
          sx={{
            justifyContent: 'flex-start',
            gap: 3,
            minHeight: 48,
            px: 4,
            typography: 'body1',
            color: 'text.primary',
          }}
        >
          <Icon />
          {label}
        </ButtonBase>
      ))}
      {message.sender === 'user' && message.status !== null && (
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, px: 4, py: 2 }}>
          <MessageTick status={message.status} connectionId={message.connectionId} />
          <WhyButton
            of={{ kind: 'contact', id: message.contactId, field: 'tick', part: message.id }}
            what={`Tique da mensagem: ${summaryOf(message)}`}
          />
        </Box>
      )}
    </Drawer>
  )
}
