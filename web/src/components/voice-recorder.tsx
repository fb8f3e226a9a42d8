import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'
import DeleteRounded from '~icons/ic/round-delete'
import { minutesAndSeconds } from '../lib/format.ts'
import { useToast } from '../lib/toast.tsx'
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

type Converter = Pick<typeof import('../lib/voice/to-voice-message.ts'), 'NoVoiceMessage' | 'toVoiceMessage'>

/** What was recorded and not sent, nor thrown away. */
export interface KeptRecording {
  heard: ReturnType<Recording['finish']>
  seconds: number
}

interface Props {
  /** Recorded before: nothing is recorded then, it is only sent or thrown away. */
  kept?: KeptRecording
  /** Something else was opened meanwhile: this is left over. */
  onKeep?: (recording: KeptRecording) => void
  /** Comes even after something else was opened in the meantime: what was sent is sent. */
  onSend: (message: VoiceMessage) => void
  /** Sent or thrown away. */
  onClose: () => void
  loadConverter?: () => Promise<Converter>
}

type Step =
  | { name: 'asking' }
  | { name: 'kept' }
  | { name: 'recording'; startedAt: number }
  | { name: 'finishing' }
  | { name: 'failed' }
  | { name: 'refused'; why: string }

/** Bars of the live level. */
const shownLevels = 40
/** An accidental press is no message, in ms. */
const shortestMs = 600
const longestMs = 15 * 60_000

const importConverter = () => import('../lib/voice/to-voice-message.ts')

const wrapped = async (
  sound: Blob,
  loadConverter: () => Promise<Converter>,
): Promise<Pick<VoiceMessage, 'sound' | 'as'>> => {
  if (sound.type.startsWith('audio/ogg')) return { sound, as: 'voice' }
  const { NoVoiceMessage, toVoiceMessage } = await loadConverter()
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
export const VoiceRecorder = ({ kept, onKeep, onSend, onClose, loadConverter = importConverter }: Props) => {
  const toast = useToast()
  const [step, setStep] = useState<Step>(kept ? { name: 'kept' } : { name: 'asking' })
  const [levels, setLevels] = useState<number[]>(() => new Array(shownLevels).fill(0))
  const [elapsedMs, setElapsedMs] = useState(0)
  const recording = useRef<Recording | null>(null)
  const taken = useRef<KeptRecording | null>(kept ?? null)
  const isDiscarded = useRef(false)
  const isShown = useRef(true)
  const sendRef = useRef<HTMLButtonElement>(null)

  // The line may be gone by the time it is needed; if it is gone already, it is asked for again then.
  useEffect(() => void loadConverter().catch(() => undefined), [loadConverter])

  const latest = useRef({ step, onKeep })
  useEffect(() => {
    latest.current = { step, onKeep }
  })
  const take = useCallback((started: Recording, lastedMs: number) => {
    recording.current = null
    taken.current = { heard: started.finish(), seconds: Math.max(1, Math.round(lastedMs / 1000)) }
    return taken.current
  }, [])

  // Whoever opens something else in the middle of a sentence has not thrown it away.
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
      const { step, onKeep } = latest.current
      if (isDiscarded.current || !onKeep) return
      if (step.name === 'failed' && taken.current) onKeep(taken.current)
      const started = recording.current
      const lastedMs = step.name === 'recording' ? Date.now() - step.startedAt : 0
      if (started && lastedMs >= shortestMs) onKeep(take(started, lastedMs))
    }
  }, [take])

  const isUnsent = step.name === 'recording' || step.name === 'finishing' || step.name === 'failed'
  useEffect(() => {
    if (!isUnsent) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isUnsent])

  const records = kept === undefined
  useEffect(() => {
    if (!records) return
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
  }, [records])

  const prepare = useCallback(async () => {
    if (!taken.current) return
    setStep({ name: 'finishing' })
    try {
      const { heard, seconds } = taken.current
      const { sound, levels } = await heard
      const message = { ...(await wrapped(sound, loadConverter)), seconds, waveform: waveformOf(levels) }
      if (isDiscarded.current) return
      onSend(message)
      if (isShown.current) onClose()
    } catch {
      setStep({ name: 'failed' })
      if (isShown.current || isDiscarded.current) return
      latest.current.onKeep?.(taken.current)
      toast({
        kind: 'error',
        title: 'A gravação não pôde ser preparada',
        description: 'Ela está guardada na conversa.',
      })
    }
  }, [loadConverter, onClose, onSend, toast])

  const finish = useCallback(async () => {
    const started = recording.current
    if (step.name !== 'recording' || !started) return
    const lasted = Date.now() - step.startedAt
    if (lasted < shortestMs) return
    take(started, lasted)
    await prepare()
  }, [prepare, step, take])

  const discard = () => {
    isDiscarded.current = true
    onClose()
  }

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
    discard()
  }

  if (kept && (step.name === 'kept' || step.name === 'finishing'))
    return (
      <Box
        role="group"
        aria-label="Gravação guardada"
        sx={{ display: 'flex', alignItems: 'center', gap: 2, minHeight: 44, pb: 2 }}
      >
        <Typography sx={{ flex: 1, minWidth: 0 }}>
          {step.name === 'kept' ? `Gravação guardada (${minutesAndSeconds(kept.seconds)})` : 'Preparando a gravação...'}
        </Typography>
        <Button color="inherit" onClick={discard}>
          Descartar
        </Button>
        <Button variant="outlined" disabled={step.name !== 'kept'} onClick={() => void prepare()}>
          Enviar gravação
        </Button>
      </Box>
    )
  if (step.name === 'refused' || step.name === 'failed') {
    const isKept = step.name === 'failed'
    return (
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, minHeight: 44 }} onKeyDown={onKeyDown}>
        <Typography role="alert" sx={{ flex: 1, color: 'danger' }}>
          {isKept ? 'A gravação não pôde ser preparada, mas está guardada.' : step.why}
        </Typography>
        {isKept && (
          <Button autoFocus onClick={() => void prepare()}>
            Tentar de novo
          </Button>
        )}
        <Button autoFocus={!isKept} onClick={discard}>
          {isKept ? 'Descartar' : 'Fechar'}
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
