import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import DeleteRounded from '~icons/ic/round-delete'
import { minutesAndSeconds } from '../../lib/format/format.ts'
import { KeyHint } from '../key-hint.tsx'
import { ScreenReaderText } from '../screen-reader-text.tsx'
import { SendButton } from '../send-button.tsx'
import { useVoiceRecording, type VoiceRecordingOptions } from './use-voice-recording.ts'
import { importConverter } from './voice-message.ts'

type Props = Omit<VoiceRecordingOptions, 'loadConverter'> & Partial<Pick<VoiceRecordingOptions, 'loadConverter'>>
type Voice = ReturnType<typeof useVoiceRecording>

const Levels = ({ levels }: { levels: number[] }) => (
  <Box
    aria-hidden
    sx={{ flex: 1, minWidth: 0, height: 'var(--target-small)', display: 'flex', alignItems: 'center', gap: '2px' }}
  >
    {levels.map((level, index) => (
      <Box
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
        key={index}
        sx={{ flex: 1, minHeight: 2, borderRadius: 'var(--radius-control)', bgcolor: 'primary.main' }}
        style={{ height: `${Math.max(6, level * 100)}%` }}
      />
    ))}
  </Box>
)

const UnsentBar = ({
  seconds,
  isPreparing,
  onDiscard,
  onSend,
}: {
  seconds: number
  isPreparing: boolean
  onDiscard: () => void
  onSend: () => void
}) => (
  <Box
    role="group"
    aria-label="Gravação guardada"
    sx={{ display: 'flex', alignItems: 'center', gap: 2, minHeight: 44, pb: 2 }}
  >
    <Typography sx={{ flex: 1, minWidth: 0 }}>
      {isPreparing ? 'Preparando a gravação...' : `Gravação guardada (${minutesAndSeconds(seconds)})`}
    </Typography>
    <Button color="inherit" onClick={onDiscard}>
      Descartar
    </Button>
    <Button variant="outlined" disabled={isPreparing} onClick={onSend}>
      Enviar gravação
    </Button>
  </Box>
)

const ProblemBar = ({
  why,
  onKeyDown,
  onDiscard,
  onRetry,
}: {
  /** Null where there is a recording. */
  why: string | null
  onKeyDown: (event: KeyboardEvent) => void
  onDiscard: () => void
  onRetry: () => void
}) => {
  const isUnsent = why === null
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, minHeight: 44 }} onKeyDown={onKeyDown}>
      <Typography role="alert" sx={{ flex: 1, color: 'danger' }}>
        {isUnsent ? 'A gravação não pôde ser preparada, mas está guardada.' : why}
      </Typography>
      {isUnsent && (
        <Button autoFocus onClick={onRetry}>
          Tentar de novo
        </Button>
      )}
      <Button autoFocus={!isUnsent} onClick={onDiscard}>
        {isUnsent ? 'Descartar' : 'Fechar'}
      </Button>
    </Box>
  )
}

const RecordingBar = ({
  voice: { step, levels, elapsedMs, finish, discard },
  onKeyDown,
}: {
  voice: Voice
  onKeyDown: (event: KeyboardEvent) => void
}) => {
  const sendRef = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (step.name === 'recording') sendRef.current?.focus()
  }, [step])
  return (
    <Box
      role="group"
      aria-label="Gravação de voz"
      onKeyDown={onKeyDown}
      sx={{ display: 'flex', alignItems: 'center', gap: 2, minHeight: 44 }}
    >
      <KeyHint title="Descartar a gravação" keys={['Esc']}>
        <IconButton aria-label="Descartar a gravação" color="secondary" autoFocus onClick={discard}>
          <DeleteRounded />
        </IconButton>
      </KeyHint>
      <ScreenReaderText>
        <span role="status">
          {step.name === 'asking' && 'Esperando o microfone'}
          {step.name === 'recording' && 'Gravando'}
          {step.name === 'finishing' && 'Preparando a mensagem de voz'}
        </span>
      </ScreenReaderText>
      <Typography role="timer" sx={{ fontVariantNumeric: 'tabular-nums', color: 'danger' }}>
        {minutesAndSeconds(Math.floor(elapsedMs / 1000))}
      </Typography>
      <Levels levels={levels} />
      <SendButton
        ref={sendRef}
        label="Enviar mensagem de voz"
        disabled={step.name !== 'recording'}
        onClick={() => void finish()}
      />
    </Box>
  )
}

/** Records from mounting on. Esc cancels, Enter sends. */
export const VoiceRecorder = ({ loadConverter = importConverter, ...props }: Props) => {
  const voice = useVoiceRecording({ loadConverter, ...props })
  const { step, discard } = voice
  const prepare = () => void voice.prepare()
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    discard()
  }

  if (props.unsent && (step.name === 'unsent' || step.name === 'finishing'))
    return (
      <UnsentBar
        seconds={props.unsent.seconds}
        isPreparing={step.name === 'finishing'}
        onDiscard={discard}
        onSend={prepare}
      />
    )
  if (step.name === 'refused' || step.name === 'failed') {
    const why = step.name === 'failed' ? null : step.why
    return <ProblemBar why={why} onKeyDown={onKeyDown} onDiscard={discard} onRetry={prepare} />
  }
  return <RecordingBar voice={voice} onKeyDown={onKeyDown} />
}
