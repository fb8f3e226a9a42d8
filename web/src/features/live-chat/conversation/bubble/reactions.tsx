import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import type { Message } from '@prosa/contracts/http/live-chat'
import type { BubbleActions } from './bubble-actions.ts'

interface Props {
  message: Message
  contactName: string
  /** Null: they are only shown. */
  onReact: BubbleActions['onReact'] | null
}

export const Reactions = ({ message, contactName, onReact }: Props) => {
  const { reactions } = message
  const emojis = [...new Set(reactions.map(({ emoji }) => emoji))]
  return (
    <Box sx={{ display: 'flex', gap: 1, mt: '-4px', px: 2, position: 'relative' }}>
      {emojis.map((emoji) => {
        const from = reactions.filter((one) => one.emoji === emoji)
        const mine = from.some(({ sender }) => sender === 'user')
        const names = from.map(({ sender }) => (sender === 'user' ? 'você' : contactName)).join(' e ')
        return (
          <ButtonBase
            key={emoji}
            aria-label={
              onReact === null
                ? `Reação ${emoji} de ${names}`
                : `Reação ${emoji} de ${names}. ${mine ? 'Retirar a sua' : 'Reagir assim também'}`
            }
            disabled={onReact === null}
            onClick={() => onReact?.(message, mine ? null : emoji)}
            sx={{
              typography: 'body1',
              gap: 1,
              minWidth: 'var(--target-small)',
              minHeight: 'var(--target-small)',
              '@media (pointer: coarse)': { minWidth: 'var(--target)', minHeight: 'var(--target)' },
              px: 2,
              bgcolor: mine ? 'primarySoft' : 'surface',
              color: 'text.primary',
              border: '1px solid',
              borderColor: mine ? 'primary.main' : 'divider',
              borderRadius: 'var(--radius-bubble)',
            }}
          >
            {emoji}
            {from.length > 1 && (
              <Box component="span" sx={{ typography: 'caption' }}>
                {from.length}
              </Box>
            )}
          </ButtonBase>
        )
      })}
    </Box>
  )
}
