import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import { maximumTextLength } from '@prosa/contracts/values/lengths'
import { type Ref, useState } from 'react'
import PhotoIcon from '~icons/ic/outline-image'
import { SendButton } from '../../../components/send-button.tsx'
import '../../../components/forms/field.css'

interface Props {
  ref: Ref<HTMLTextAreaElement>
  blocked: string | null
  onWrite: (text: string) => void
  /** Sends a picture without words. */
  onFile: () => void
}

/** Enter sends, Shift+Enter breaks the line. */
export const TryoutComposer = ({ ref, blocked, onWrite, onFile }: Props) => {
  const [text, setText] = useState('')
  const canSend = blocked === null && text.trim() !== ''
  const send = () => {
    if (!canSend) return
    onWrite(text.trim())
    setText('')
  }
  return (
    <Box
      component="form"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      sx={{
        display: 'flex',
        alignItems: 'flex-end',
        gap: 2,
        p: 2,
        pb: 'max(8px, env(safe-area-inset-bottom))',
        borderTop: '1px solid',
        borderColor: 'divider',
      }}
    >
      <Box className="field-box" sx={{ flex: 1, minWidth: 0 }}>
        <textarea
          ref={ref}
          aria-label="Mensagem do contato"
          placeholder={blocked ?? 'Escreva como o contato'}
          rows={2}
          maxLength={maximumTextLength}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            send()
          }}
        />
      </Box>
      <IconButton
        aria-label="Enviar uma foto de teste"
        title="Enviar uma foto de teste"
        color="secondary"
        disabled={blocked !== null}
        onClick={onFile}
      >
        <PhotoIcon />
      </IconButton>
      <SendButton type="submit" label="Enviar ao teste" disabled={!canSend} />
    </Box>
  )
}
