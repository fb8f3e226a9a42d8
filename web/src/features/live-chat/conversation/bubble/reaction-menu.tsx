import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import OutlinedInput from '@mui/material/OutlinedInput'
import Popover from '@mui/material/Popover'
import type { KeyboardEvent } from 'react'

const commonReactions = [
  { emoji: '👍', name: 'gostei' },
  { emoji: '❤️', name: 'amei' },
  { emoji: '😂', name: 'rindo' },
  { emoji: '😮', name: 'surpresa' },
  { emoji: '😢', name: 'triste' },
  { emoji: '🙏', name: 'obrigado' },
]

const graphemes = new Intl.Segmenter('pt-BR', { granularity: 'grapheme' })

export const emojiIn = (text: string): string | undefined =>
  [...graphemes.segment(text)]
    .map(({ segment }) => segment)
    .find((segment) => /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u.test(segment))

interface ChoiceProps {
  current: string | null
  onChoose: (emoji: string | null) => void
}

export const CommonReactions = ({ current, onChoose, focusesFirst }: ChoiceProps & { focusesFirst?: boolean }) =>
  commonReactions.map(({ emoji, name }, index) => (
    <IconButton
      key={emoji}
      autoFocus={focusesFirst && index === 0}
      aria-label={emoji === current ? `Retirar a reação ${emoji}, ${name}` : `Reagir com ${emoji}, ${name}`}
      onClick={() => onChoose(emoji === current ? null : emoji)}
      sx={{
        width: 44,
        height: 44,
        color: 'text.primary',
        typography: 'h2',
        bgcolor: emoji === current ? 'primarySoft' : undefined,
      }}
    >
      {emoji}
    </IconButton>
  ))

interface Props extends ChoiceProps {
  anchor: Element
  onClose: () => void
}

/** Choosing our own reaction removes it. */
export const ReactionMenu = ({ anchor, current, onChoose, onClose }: Props) => {
  const walk = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return
    if (document.activeElement instanceof HTMLInputElement && document.activeElement.value !== '') return
    const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('button, input')]
    const focused = document.activeElement
    const at = focused instanceof HTMLElement ? stops.indexOf(focused) : -1
    const step = event.key === 'ArrowRight' ? 1 : -1
    stops[(at + step + stops.length) % stops.length]?.focus()
    event.preventDefault()
  }
  return (
    <Popover
      open
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: 'top', horizontal: 'center' }}
      transformOrigin={{ vertical: 'bottom', horizontal: 'center' }}
      slotProps={{
        paper: {
          role: 'dialog',
          'aria-label': 'Reagir à mensagem',
          sx: {
            borderRadius: 'var(--radius-panel)',
            border: '1px solid var(--border)',
            boxShadow: 'var(--shadow-float)',
          },
        },
      }}
    >
      <Box onKeyDown={walk} sx={{ display: 'flex', alignItems: 'center', gap: 1, p: 2 }}>
        <CommonReactions focusesFirst current={current} onChoose={onChoose} />
        <OutlinedInput
          value=""
          placeholder="Outro"
          onChange={(event) => {
            const emoji = emojiIn(event.target.value)
            if (emoji) onChoose(emoji)
          }}
          slotProps={{ input: { 'aria-label': 'Outro emoji' } }}
          sx={{ width: 80, '& input::placeholder': { opacity: 1, color: 'text.secondary' } }}
        />
      </Box>
    </Popover>
  )
}
