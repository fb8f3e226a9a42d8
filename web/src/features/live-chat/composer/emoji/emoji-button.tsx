import IconButton from '@mui/material/IconButton'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import MoodRounded from '~icons/ic/round-mood'
import { KeyHint } from '../../../../components/key-hint.tsx'
import { lazyPart } from '../../../../components/layout/lazy-part.tsx'

const EmojiPanel = lazyPart(async () => (await import('./emoji-panel.tsx')).EmojiPanel)

interface Props {
  disabled: boolean
  onChoose: (emoji: string) => void
  onClose: () => void
}

/** Not on narrow screens, where the keyboard has emojis. */
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
            // The open panel traps the focus. Closed synchronously: a timeout on a busy browser may run after the next key.
            flushSync(() => setAnchor(null))
            onClose()
          }}
        />
      )}
    </>
  )
}
