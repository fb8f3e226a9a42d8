import IconButton from '@mui/material/IconButton'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import MoodRounded from '~icons/ic/round-mood'
import { KeyHint } from '../../../../components/key-hint.tsx'
import { lazyPart } from '../../../../components/lazy-part.tsx'

const EmojiPanel = lazyPart(async () => (await import('./emoji-panel.tsx')).EmojiPanel)

interface Props {
  disabled: boolean
  onChoose: (emoji: string) => void
  /** Back to where the answer is written. */
  onClose: () => void
}

/** Opens the emojis. Not on a narrow screen: there the keyboard has them, and the box needs the room. */
export const EmojiButton = ({ disabled, onChoose, onClose }: Props) => {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  return (
    <>
      <KeyHint title="Emoji" keys={['Ctrl', ';']}>
        <IconButton
          data-emoji
          aria-label="Emoji"
          aria-haspopup="dialog"
          aria-expanded={anchor !== null}
          color="secondary"
          disabled={disabled}
          onClick={(event) => setAnchor(event.currentTarget)}
          sx={{ display: { xs: 'none', sm: 'inline-flex' }, width: 44, height: 44 }}
        >
          <MoodRounded />
        </IconButton>
      </KeyHint>
      {anchor && (
        <EmojiPanel
          anchor={anchor}
          onChoose={onChoose}
          onClose={() => {
            // An open panel keeps the focus to itself. It is gone before the next key, which belongs into the text: a
            // browser that is busy drawing would run a timeout only after it.
            flushSync(() => setAnchor(null))
            onClose()
          }}
        />
      )}
    </>
  )
}
