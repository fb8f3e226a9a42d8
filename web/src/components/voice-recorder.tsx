import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'
import DeleteRounded from '~icons/ic/round-delete'
import { minutesAndSeconds } from '../lib/format.ts'
import { waveformOf } from '../lib/voice/loudness.ts'
import { MicrophoneRefused, type Recording, refusalSentence, startRecording } from '../lib/voice/microphone.ts'
import { KeyHint } from './key-hint.tsx'
import { ScreenReaderText } from './screen-reader-text.tsx'
import { SendButton } from './send-button.tsx'

export interface VoiceMessage {
  /** Ogg with Opus for `voice`; for `audio` what else the browser recorded. */
  sound: Blob
  as: 'voice' | 'audio'
  seconds: number
  waveform: number[]
}

interface Props {
  onSend: (message: VoiceMessage) => void
  onClose: () => void
}

type Step =
  | { name: 'asking' }
  | { name: 'recording'; startedAt: number }
  | { name: 'finishing' }
  | { name: 'refused'; why: string }

/** Bars of the live level. */
const shownLevels = 40
/** An accidental press is no message, in ms. */
const shortestMs = 600
const longestMs = 15 * 60_000

const wrapped = async (sound: Blob): Promise<Pick<VoiceMessage, 'sound' | 'as'>> => {
  if (sound.type.startsWith('audio/ogg')) return { sound, as: 'voice' }
  const { NoVoiceMessage, toVoiceMessage } = await import('../lib/voice/to-voice-message.ts')
  try {
    return { sound: await toVoiceMessage(sound), as: 'voice' }
  } catch (error) {
    // It is a sound all the same, only not shown as a voice message.
    if (error instanceof NoVoiceMessage && sound.type.startsWith('audio/mp4')) return { sound, as: 'audio' }
    throw error
  }
}

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

/** Records from the moment it appears: time, live level, Esc gives up, Enter sends. */
export const VoiceRecorder = ({ onSend, onClose }: Props) => {
  const [step, setStep] = useState<Step>({ name: 'asking' })
  const [levels, setLevels] = useState<number[]>(() => new Array(shownLevels).fill(0))
  const [elapsedMs, setElapsedMs] = useState(0)
  const recording = useRef<Recording | null>(null)
  const sendRef = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    let gone = false
    const start = async () => {
      try {
        const started = await startRecording((level) => setLevels((shown) => [...shown.slice(1), level]))
        if (gone) return started.cancel()
        recording.current = started
        setStep({ name: 'recording', startedAt: Date.now() })
      } catch (error) {
        if (!(error instanceof MicrophoneRefused)) throw error
        if (!gone) setStep({ name: 'refused', why: refusalSentence[error.refusal] })
      }
    }
    void start()
    return () => {
      gone = true
      recording.current?.cancel()
      recording.current = null
    }
  }, [])

  const finish = useCallback(async () => {
    const started = recording.current
    if (step.name !== 'recording' || !started) return
    const lasted = Date.now() - step.startedAt
    if (lasted < shortestMs) return
    recording.current = null
    setStep({ name: 'finishing' })
    try {
      const { sound, levels: heard } = await started.finish()
      onSend({
        ...(await wrapped(sound)),
        seconds: Math.max(1, Math.round(lasted / 1000)),
        waveform: waveformOf(heard),
      })
    } catch {
      setStep({ name: 'refused', why: 'A gravação não pôde ser preparada. Grave de novo.' })
    }
  }, [onSend, step])

  useEffect(() => {
    if (step.name !== 'recording') return
    sendRef.current?.focus()
    const timer = setInterval(() => setElapsedMs(Date.now() - step.startedAt), 250)
    return () => clearInterval(timer)
  }, [step])

  useEffect(() => {
    if (elapsedMs >= longestMs) void finish()
  }, [elapsedMs, finish])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    onClose()
  }

  if (step.name === 'refused') {
    return (
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, minHeight: 44 }} onKeyDown={onKeyDown}>
        <Typography role="alert" sx={{ flex: 1, color: 'danger' }}>
          {step.why}
        </Typography>
        <Button autoFocus onClick={onClose}>
          Fechar
        </Button>
      </Box>
    )
  }
  return (
    <Box
      role="group"
      aria-label="Gravação de voz"
      onKeyDown={onKeyDown}
      sx={{ display: 'flex', alignItems: 'center', gap: 2, minHeight: 44 }}
    >
      <KeyHint title="Descartar a gravação" keys={['Esc']}>
        <IconButton aria-label="Descartar a gravação" color="secondary" autoFocus onClick={onClose}>
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
