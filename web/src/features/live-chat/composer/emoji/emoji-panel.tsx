import Box from '@mui/material/Box'
import Popover from '@mui/material/Popover'
import { type EmojiData, EmojiPicker, type EmojiPickerListComponents } from 'frimousse'
import { plainText } from '../../../../lib/format/plain-text.ts'
import './emoji-panel.css'

/** By Emojibase's group number. */
const groups: Record<number, string> = {
  0: 'Carinhas e emoções',
  1: 'Pessoas e gestos',
  3: 'Animais e natureza',
  4: 'Comidas e bebidas',
  5: 'Viagens e lugares',
  6: 'Atividades',
  7: 'Objetos',
  8: 'Símbolos',
  9: 'Bandeiras',
}

/** Bundled, not from another server. Matches without accents too. */
const resolveEmojiData = async (): Promise<EmojiData> => {
  const { default: rows } = await import('virtual:emojis')
  return {
    locale: 'pt',
    categories: Object.entries(groups).map(([index, label]) => ({ index: Number(index), label })),
    skinTones: { light: '', 'medium-light': '', medium: '', 'medium-dark': '', dark: '' },
    emojis: rows.map(([emoji, label, category, words]) => ({
      emoji,
      label,
      category,
      version: 0,
      tags: [...words.split('|'), plainText(`${label} ${words.replaceAll('|', ' ')}`)],
    })),
  }
}

const parts: Partial<EmojiPickerListComponents> = {
  CategoryHeader: ({ category, ...props }) => (
    <div {...props} className="emoji-group">
      {category.label}
    </div>
  ),
  // The library counts rows and columns from 0, ARIA from 1.
  Row: ({ children, 'aria-rowindex': _row, ...props }) => <div {...props}>{children}</div>,
  Emoji: ({ emoji, 'aria-colindex': _column, ...props }) => (
    <button {...props} type="button" title={emoji.label} className="emoji">
      {emoji.emoji}
    </button>
  ),
}

interface Props {
  anchor: HTMLElement
  onChoose: (emoji: string) => void
  onClose: () => void
}

/** Arrows move, Enter inserts, Esc closes. */
export const EmojiPanel = ({ anchor, onChoose, onClose }: Props) => (
  <Popover
    open
    disableRestoreFocus
    anchorEl={anchor}
    onClose={onClose}
    anchorOrigin={{ vertical: 'top', horizontal: 'left' }}
    transformOrigin={{ vertical: 'bottom', horizontal: 'left' }}
    slotProps={{ paper: { role: 'dialog', 'aria-label': 'Emojis', className: 'emoji-paper' } }}
  >
    <EmojiPicker.Root
      className="emoji-picker"
      locale="pt"
      columns={9}
      resolveEmojiData={resolveEmojiData}
      onEmojiSelect={({ emoji }) => onChoose(emoji)}
    >
      <EmojiPicker.Search
        autoFocus
        className="emoji-search"
        placeholder="Buscar emoji"
        aria-label="Buscar emoji"
        autoComplete="off"
      />
      <EmojiPicker.Viewport className="emoji-viewport" tabIndex={0}>
        <EmojiPicker.Loading className="emoji-note">Carregando emojis...</EmojiPicker.Loading>
        <EmojiPicker.Empty className="emoji-note">
          {({ search }) => `Nenhum emoji encontrado para "${search}"`}
        </EmojiPicker.Empty>
        <EmojiPicker.List components={parts} />
      </EmojiPicker.Viewport>
      <EmojiPicker.ActiveEmoji>
        {({ emoji }) => (
          <Box className="emoji-name" aria-live="polite">
            {emoji ? `${emoji.emoji} ${emoji.label}` : 'Use as setas e Enter, ou clique'}
          </Box>
        )}
      </EmojiPicker.ActiveEmoji>
    </EmojiPicker.Root>
  </Popover>
)
