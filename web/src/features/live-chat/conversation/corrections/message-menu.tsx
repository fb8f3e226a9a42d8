import ListItemIcon from '@mui/material/ListItemIcon'
import ListItemText from '@mui/material/ListItemText'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Typography from '@mui/material/Typography'
import type { Message } from '@prosa/contracts/http/live-chat'
import type { ComponentType } from 'react'
import { flushSync } from 'react-dom'
import ContentCopyRounded from '~icons/ic/round-content-copy'
import DeleteRounded from '~icons/ic/round-delete'
import DoneAllRounded from '~icons/ic/round-done-all'
import EditRounded from '~icons/ic/round-edit'
import type { BubbleActions } from '../bubble/bubble-actions.ts'
import { canBeDeleted, canBeEdited } from './changeable.ts'

interface Props {
  anchor: Element
  message: Message
  actions: BubbleActions
  onWhy: (message: Message) => void
  onClose: () => void
}

export const MessageMenu = ({ anchor, message, actions, onWhy, onClose }: Props) => {
  const item = (
    name: string,
    key: string | null,
    Icon: ComponentType,
    action: (message: Message) => void,
    danger = false,
  ) => (
    <MenuItem
      key={name}
      onClick={() => {
        // The open menu traps the focus: it must close before the next key.
        flushSync(onClose)
        action(message)
      }}
      sx={danger ? { color: 'danger' } : undefined}
    >
      <ListItemIcon sx={{ color: 'inherit' }}>
        <Icon />
      </ListItemIcon>
      <ListItemText>{name}</ListItemText>
      {key !== null && (
        <Typography component="kbd" variant="caption" aria-hidden sx={{ ml: 4, color: 'text.secondary' }}>
          {key}
        </Typography>
      )}
    </MenuItem>
  )
  return (
    <Menu
      open
      disableRestoreFocus
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: message.sender === 'user' ? 'right' : 'left' }}
      transformOrigin={{ vertical: 'top', horizontal: message.sender === 'user' ? 'right' : 'left' }}
      slotProps={{ list: { 'aria-label': 'Ações da mensagem' } }}
    >
      {[
        canBeEdited(message) && item('Editar', 'F2', EditRounded, actions.onEdit),
        message.sender === 'user' &&
          message.status !== null &&
          item('Por que este tique?', null, DoneAllRounded, onWhy),
        message.content.trim() !== '' && item('Copiar texto', 'Ctrl C', ContentCopyRounded, actions.onCopy),
        canBeDeleted(message) && item('Apagar para todos', 'Delete', DeleteRounded, actions.onDelete, true),
      ]}
    </Menu>
  )
}
