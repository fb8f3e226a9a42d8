import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import OutlinedInput from '@mui/material/OutlinedInput'
import Typography from '@mui/material/Typography'
import type { Activity, FileKind, SimulatedMessage } from '@prosa/contracts/http/simulator'
import { type ClipboardEvent, type KeyboardEvent, type SubmitEvent, useEffect, useId, useRef, useState } from 'react'
import AttachIcon from '~icons/ic/round-attach-file'
import CloseIcon from '~icons/ic/round-close'
import MicIcon from '~icons/ic/round-mic'
import SendIcon from '~icons/ic/round-send'
import { lazyPart } from '../../components/layout/lazy-part.tsx'
import type { VoiceMessage } from '../../components/voice/voice-message.ts'
import { messageWords } from './message-words.ts'

const VoiceRecorder = lazyPart(
  async () => (await import('../../components/voice/voice-recorder.tsx')).VoiceRecorder,
  <Box sx={{ minHeight: 44 }} />,
)

export type Draft = { mode: 'new' } | { mode: 'reply' | 'edit'; message: SimulatedMessage }

type Props = {
  title: string
  draft: Draft
  onDrop: () => void
  /** `giveBack` restores a text that was refused. */
  onText: (text: string, giveBack: () => void) => void
  onFile: (file: File, kind: FileKind) => void
  onExample: (kind: 'voice' | 'image') => void
  onVoice: (message: VoiceMessage) => void
  onActivity: (activity: Activity) => void
}

const pausesAfterMs = 3000

const kindOf = ({ type }: File): FileKind => {
  if (type === 'image/webp') return 'sticker'
  for (const kind of ['image', 'video', 'audio'] as const) if (type.startsWith(`${kind}/`)) return kind
  return 'document'
}

const useTyping = (onActivity: Props['onActivity']) => {
  const timer = useRef<number>(undefined)
  const stop = () => {
    if (timer.current === undefined) return
    window.clearTimeout(timer.current)
    timer.current = undefined
    onActivity('paused')
  }
  const typed = () => {
    if (timer.current === undefined) onActivity('composing')
    window.clearTimeout(timer.current)
    timer.current = window.setTimeout(stop, pausesAfterMs)
  }
  useEffect(() => () => window.clearTimeout(timer.current), [])
  return { typed, stop }
}

const Attach = ({ onFile, onExample }: Pick<Props, 'onFile' | 'onExample'>) => {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const file = useRef<HTMLInputElement>(null)
  const id = useId()
  const choose = (action: () => void) => () => {
    setAnchor(null)
    action()
  }
  return (
    <>
      <IconButton id={id} aria-label="Anexar" aria-haspopup="menu" onClick={(event) => setAnchor(event.currentTarget)}>
        <AttachIcon />
      </IconButton>
      <Menu
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        slotProps={{ list: { 'aria-labelledby': id } }}
      >
        <MenuItem onClick={choose(() => file.current?.click())}>Arquivo deste computador</MenuItem>
        <MenuItem onClick={choose(() => onExample('image'))}>Foto de exemplo</MenuItem>
        <MenuItem onClick={choose(() => onExample('voice'))}>Mensagem de voz de exemplo</MenuItem>
      </Menu>
      <input
        ref={file}
        type="file"
        hidden
        aria-label="Arquivo"
        onChange={(event) => {
          const chosen = event.target.files?.[0]
          event.target.value = ''
          if (chosen) onFile(chosen, kindOf(chosen))
        }}
      />
    </>
  )
}

const About = ({ draft, onGiveUp }: { draft: Exclude<Draft, { mode: 'new' }>; onGiveUp: () => void }) => (
  <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, pl: 4, bgcolor: 'sunken' }}>
    <Typography variant="caption" noWrap sx={{ flex: 1 }}>
      {draft.mode === 'edit' ? 'Editando' : 'Respondendo'}: {messageWords(draft.message)}
    </Typography>
    <IconButton size="small" aria-label="Desistir" onClick={onGiveUp}>
      <CloseIcon />
    </IconButton>
  </Box>
)

/** Of the new message or of the one that is edited. */
const useText = ({ draft, onDrop, onText }: Props, typing: ReturnType<typeof useTyping>) => {
  const editing = draft.mode === 'edit' ? draft.message : null
  const [written, setWritten] = useState('')
  const [edited, setEdited] = useState<{ id: string; text: string } | null>(null)
  const text = editing ? (edited?.id === editing.id ? edited.text : editing.text) : written

  const giveUp = () => {
    setEdited(null)
    onDrop()
  }
  const write = (text: string) => {
    if (editing) setEdited({ id: editing.id, text })
    else setWritten(text)
    typing.typed()
  }
  const send = () => {
    if (text.trim() === '') return
    typing.stop()
    if (editing) {
      setEdited(null)
      return onText(text, () => setEdited({ id: editing.id, text }))
    }
    setWritten('')
    onText(text, () => setWritten((since) => (since === '' ? text : `${text}\n${since}`)))
  }
  return { text, write, send, giveUp }
}

/** Enter sends, Shift+Enter breaks the line, files can be pasted. */
export const PhoneComposer = (props: Props) => {
  const { title, draft, onFile, onExample, onVoice, onActivity } = props
  const typing = useTyping(onActivity)
  const { text, write, send, giveUp } = useText(props, typing)
  const input = useRef<HTMLTextAreaElement>(null)
  const [isRecording, setRecording] = useState(false)

  // Also after the menu of a message, which returns the focus to its button.
  useEffect(() => {
    if (draft.mode !== 'new') input.current?.focus()
  }, [draft])

  const record = (recording: boolean) => {
    setRecording(recording)
    onActivity(recording ? 'recording' : 'paused')
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    send()
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && draft.mode !== 'new') return giveUp()
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  const paste = (event: ClipboardEvent) => {
    const [file] = event.clipboardData.files
    if (!file) return
    event.preventDefault()
    onFile(file, kindOf(file))
  }

  return (
    <Box component="form" onSubmit={submit} sx={{ borderTop: '1px solid', borderColor: 'divider' }}>
      {draft.mode !== 'new' && <About draft={draft} onGiveUp={giveUp} />}
      {isRecording ? (
        <Box sx={{ px: 2, py: 1 }}>
          <VoiceRecorder
            onSend={(message) => {
              record(false)
              onVoice(message)
            }}
            onClose={() => record(false)}
          />
        </Box>
      ) : (
        <Box sx={{ display: 'flex', alignItems: 'flex-end', p: 2 }}>
          <Attach onFile={onFile} onExample={onExample} />
          <OutlinedInput
            fullWidth
            multiline
            maxRows={4}
            size="small"
            placeholder="Mensagem"
            inputProps={{ 'aria-label': `Mensagem para ${title}` }}
            autoComplete="off"
            inputRef={input}
            value={text}
            onKeyDown={press}
            onPaste={paste}
            onChange={(event) => write(event.target.value)}
          />
          {text.trim() === '' && draft.mode === 'new' ? (
            <IconButton color="primary" aria-label="Gravar mensagem de voz" onClick={() => record(true)}>
              <MicIcon />
            </IconButton>
          ) : (
            <IconButton type="submit" color="primary" aria-label="Enviar" disabled={text.trim() === ''}>
              <SendIcon />
            </IconButton>
          )}
        </Box>
      )}
    </Box>
  )
}
