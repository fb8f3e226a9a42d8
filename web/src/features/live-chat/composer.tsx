import SendRounded from '@mui/icons-material/SendRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { type KeyboardEvent, type Ref, useId } from 'react'
import { KeyHint } from '../../components/key-hint.tsx'
import { plural } from '../../lib/format.ts'
import { GrowingTextarea } from './growing-textarea.tsx'
import { useDraft } from './use-draft.ts'

/** WhatsApp's limit, in characters. */
const maximumLength = 4096
/** From here on the composer says how many characters are left. */
const counterFrom = 3_900

const lengthSentence = (length: number): string =>
  length > maximumLength
    ? `${plural(length - maximumLength, 'caractere', 'caracteres')} além do limite`
    : `${plural(maximumLength - length, 'caractere restante', 'caracteres restantes')}`

interface Props {
  contactId: string
  connected: boolean
  inputRef: Ref<HTMLTextAreaElement>
  onSend: (text: string) => void
  onLeave: () => void
}

/** Where the answer is written: Enter sends, Shift+Enter breaks the line, Esc goes back to the list. */
export const Composer = ({ contactId, connected, inputRef, onSend, onLeave }: Props) => {
  const [draft, setDraft] = useDraft(contactId)
  const counterId = useId()
  const tooLong = draft.length > maximumLength
  const canSend = connected && draft.trim() !== '' && !tooLong

  const send = () => {
    if (!canSend) return
    onSend(draft)
    setDraft('')
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      send()
    } else if (event.key === 'Escape') {
      event.preventDefault()
      onLeave()
    }
  }

  const label = connected
    ? 'Digite uma mensagem ou / para respostas rápidas'
    : 'Conecte o WhatsApp para enviar mensagens'
  return (
    <Box
      component="form"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      sx={{
        px: { xs: 2, md: 4 },
        py: 2,
        pb: 'max(8px, env(safe-area-inset-bottom))',
        bgcolor: 'surface',
        borderTop: '1px solid',
        borderColor: 'divider',
      }}
    >
      <Box sx={{ display: 'flex', alignItems: 'flex-end', gap: 2 }}>
        <GrowingTextarea
          ref={inputRef}
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={onKeyDown}
          disabled={!connected}
          placeholder={label}
          aria-label={label}
          aria-invalid={tooLong}
          aria-describedby={draft.length >= counterFrom ? counterId : undefined}
          enterKeyHint="send"
        />
        <KeyHint title="Enviar" keys={['Enter']}>
          <span>
            <IconButton
              type="submit"
              aria-label="Enviar"
              disabled={!canSend}
              sx={{
                width: 44,
                height: 44,
                bgcolor: 'primary.main',
                color: 'primary.contrastText',
                '&:hover': { bgcolor: 'primary.dark' },
                '&.Mui-disabled': { bgcolor: 'sunken', color: 'text.secondary' },
              }}
            >
              <SendRounded />
            </IconButton>
          </span>
        </KeyHint>
      </Box>
      {draft.length >= counterFrom && (
        <Typography
          id={counterId}
          role="status"
          variant="caption"
          sx={{ display: 'block', pt: 1, color: tooLong ? 'danger' : 'text.secondary' }}
        >
          {lengthSentence(draft.length)}
        </Typography>
      )}
    </Box>
  )
}
