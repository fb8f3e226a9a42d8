import Box from '@mui/material/Box'
import Divider from '@mui/material/Divider'
import IconButton from '@mui/material/IconButton'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Typography from '@mui/material/Typography'
import type { SimulatedMessage } from '@prosa/contracts/http/simulator'
import { useId, useState } from 'react'
import MoreIcon from '~icons/ic/round-more-vert'
import { clockTime, phoneNumber } from '../../lib/format/format.ts'
import { MessageTick } from './message-tick.tsx'
import { messageWords } from './message-words.ts'
import { PhoneFile } from './phone-file.tsx'

const emojis = ['👍', '❤️', '😂', '😮', '😢', '🙏']

type MessageActions = {
  reply: () => void
  edit: () => void
  remove: () => void
  react: (emoji: string | null) => void
}

type Props = {
  message: SimulatedMessage
  address: string
  named: boolean
  quotedAuthor: string | null
  actions: MessageActions
}

const Choices = ({ message, actions }: Pick<Props, 'message' | 'actions'>) => {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const id = useId()
  const own = message.reactions.find(({ fromMe }) => fromMe)?.emoji
  const choose = (action: () => void) => () => {
    setAnchor(null)
    action()
  }
  return (
    <>
      <IconButton
        id={id}
        size="small"
        aria-label={`Opções da mensagem: ${messageWords(message)}`}
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <MoreIcon sx={{ fontSize: 'var(--icon-small)' }} />
      </IconButton>
      <Menu
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        slotProps={{ list: { 'aria-labelledby': id } }}
      >
        <MenuItem onClick={choose(actions.reply)}>Responder</MenuItem>
        {message.fromMe && message.kind === 'text' && <MenuItem onClick={choose(actions.edit)}>Editar</MenuItem>}
        {message.fromMe && <MenuItem onClick={choose(actions.remove)}>Apagar para todos</MenuItem>}
        <Divider />
        {emojis.map((emoji) => (
          <MenuItem
            key={emoji}
            selected={emoji === own}
            onClick={choose(() => actions.react(emoji === own ? null : emoji))}
          >
            {emoji === own ? `Tirar ${emoji}` : `Reagir com ${emoji}`}
          </MenuItem>
        ))}
      </Menu>
    </>
  )
}

const Quote = ({ author, text }: { author: string | null; text: string }) => (
  <Box
    component="blockquote"
    sx={{
      m: 0,
      mb: 1,
      pl: 2,
      borderLeft: '3px solid',
      borderColor: 'primary.main',
      overflowWrap: 'anywhere',
    }}
  >
    <Typography variant="caption" component="p" sx={{ fontWeight: 600 }}>
      {author}
    </Typography>
    <Typography variant="caption" component="p">
      {text}
    </Typography>
  </Box>
)

const Reactions = ({ emojis }: { emojis: string }) => (
  <Typography
    role="img"
    sx={{
      px: 2,
      bgcolor: 'surface',
      border: '1px solid',
      borderColor: 'divider',
      borderRadius: 'var(--radius-bubble)',
    }}
    aria-label={`Reações: ${emojis}`}
  >
    {emojis}
  </Typography>
)

export const PhoneMessage = ({ message, address, named, quotedAuthor, actions }: Props) => {
  const { fromMe, author, kind, text, at, status, quoted, reactions, editedAt, deleted } = message
  const isSound = !deleted && (kind === 'voice' || kind === 'audio')
  return (
    <Box
      sx={{
        display: 'flex',
        flexDirection: fromMe ? 'row-reverse' : 'row',
        alignItems: 'center',
        alignSelf: fromMe ? 'flex-end' : 'flex-start',
        maxWidth: '94%',
        // A player has no intrinsic width.
        width: isSound ? '94%' : undefined,
      }}
    >
      <Box sx={{ minWidth: 0, flex: isSound ? 1 : undefined, display: 'grid', justifyItems: fromMe ? 'end' : 'start' }}>
        <Box
          sx={{
            minWidth: 0,
            maxWidth: '100%',
            px: 3,
            py: 1.5,
            borderRadius: 'var(--radius-bubble)',
            bgcolor: fromMe ? 'own' : 'surface',
            color: fromMe ? 'ownText' : 'text.primary',
            ...(isSound ? { width: '100%' } : {}),
          }}
        >
          {named && !fromMe && (
            <Typography variant="caption" component="p" sx={{ color: 'primary.main', fontWeight: 600 }}>
              {author.name ?? phoneNumber(author.number)}
            </Typography>
          )}
          {quoted && <Quote author={quotedAuthor} text={quoted.text} />}
          {!deleted && <PhoneFile message={message} address={address} />}
          {(deleted || text) && (
            <Typography
              variant="message"
              component="p"
              sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', ...(deleted && { fontStyle: 'italic' }) }}
            >
              {deleted ? 'Mensagem apagada' : text}
            </Typography>
          )}
          <Box sx={{ display: 'flex', justifyContent: 'flex-end', alignItems: 'center', gap: 1 }}>
            {editedAt && !deleted && <Typography variant="caption">editada</Typography>}
            <Typography variant="caption">{clockTime(at)}</Typography>
            {fromMe && <MessageTick status={status} />}
          </Box>
          {status === 'recusada' && (
            <Typography variant="caption" component="p" sx={{ color: 'danger' }}>
              O WhatsApp não aceitou esta mensagem.
            </Typography>
          )}
        </Box>
        {reactions.length > 0 && <Reactions emojis={reactions.map(({ emoji }) => emoji).join(' ')} />}
      </Box>
      {!deleted && <Choices message={message} actions={actions} />}
    </Box>
  )
}
