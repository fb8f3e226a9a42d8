import { useCallback, useEffect, useRef, useState } from 'react'
import { useToast } from '../../lib/toast.ts'
import { waveformOf } from '../../lib/voice/loudness.ts'
import type { Recording } from '../../lib/voice/microphone.ts'
import { useMicrophone } from './use-microphone.ts'
import { type Converter, type VoiceMessage, voiceMessageOf } from './voice-message.ts'

export interface UnsentRecording {
  captured: ReturnType<Recording['finish']>
  seconds: number
}

export interface VoiceRecordingOptions {
  /** Recorded earlier: it can only be sent or discarded. */
  unsent?: UnsentRecording
  /** Something else was opened before it was sent. */
  onKeep?: (recording: UnsentRecording) => void
  /** May run after unmounting: what was sent is sent. */
  onSend: (message: VoiceMessage) => void
  onClose: () => void
  loadConverter: () => Promise<Converter>
}

type Step =
  | { name: 'asking' }
  | { name: 'unsent' }
  | { name: 'recording'; startedAt: number }
  | { name: 'finishing' }
  | { name: 'failed' }
  | { name: 'refused'; why: string }

/** Shorter recordings are accidental presses. */
const shortestMs = 600
const maxMs = 15 * 60_000

const useUnloadWarning = (isUnsent: boolean): void => {
  useEffect(() => {
    if (!isUnsent) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isUnsent])
}

/** In ms; `onLongest` runs at the maximum length. */
const useElapsed = (step: Step, onLongest: () => void): number => {
  const [elapsedMs, setElapsedMs] = useState(0)
  useEffect(() => {
    if (step.name !== 'recording') return
    const timer = setInterval(() => setElapsedMs(Date.now() - step.startedAt), 250)
    return () => clearInterval(timer)
  }, [step])
  useEffect(() => {
    if (elapsedMs >= maxMs) onLongest()
  }, [elapsedMs, onLongest])
  return elapsedMs
}

/** `recording`: in progress; `taken`: what it became once stopped. */
const useRecorded = (unsent: UnsentRecording | undefined) => {
  const recording = useRef<Recording | null>(null)
  const taken = useRef<UnsentRecording | null>(unsent ?? null)
  const take = useCallback((started: Recording, lastedMs: number) => {
    recording.current = null
    taken.current = { captured: started.finish(), seconds: Math.max(1, Math.round(lastedMs / 1000)) }
    return taken.current
  }, [])
  return { recording, taken, take }
}

export const useVoiceRecording = ({ unsent, onKeep, onSend, onClose, loadConverter }: VoiceRecordingOptions) => {
  const toast = useToast()
  const [step, setStep] = useState<Step>(unsent ? { name: 'unsent' } : { name: 'asking' })
  const { recording, taken, take } = useRecorded(unsent)
  const isDiscarded = useRef(false)
  const isShown = useRef(true)

  // The connection may be lost by the time it is needed; a failure is retried then.
  useEffect(() => void loadConverter().catch(() => undefined), [loadConverter])

  const latest = useRef({ step, onKeep })
  useEffect(() => {
    latest.current = { step, onKeep }
  })

  // Opening something else does not discard the recording.
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
  }, [recording, take, taken])

  const isUnsent = step.name === 'recording' || step.name === 'finishing' || step.name === 'failed'
  useUnloadWarning(isUnsent)

  // Must come after the effect above, which takes the recording before this one cancels it.
  const levels = useMicrophone({
    records: unsent === undefined,
    recording,
    onStarted: () => setStep({ name: 'recording', startedAt: Date.now() }),
    onRefused: (why) => setStep({ name: 'refused', why }),
  })

  const prepare = useCallback(async () => {
    if (!taken.current) return
    setStep({ name: 'finishing' })
    try {
      const { captured, seconds } = taken.current
      const { sound, levels } = await captured
      const message = { ...(await voiceMessageOf(sound, loadConverter)), seconds, waveform: waveformOf(levels) }
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
  }, [loadConverter, onClose, onSend, taken, toast])

  const finish = useCallback(async () => {
    const started = recording.current
    if (step.name !== 'recording' || !started) return
    const lasted = Date.now() - step.startedAt
    if (lasted < shortestMs) return
    take(started, lasted)
    await prepare()
  }, [prepare, recording, step, take])

  const discard = () => {
    isDiscarded.current = true
    onClose()
  }

  const elapsedMs = useElapsed(step, finish)
  return { step, levels, elapsedMs, prepare, finish, discard }
}
