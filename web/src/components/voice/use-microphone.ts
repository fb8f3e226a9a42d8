import { type RefObject, useEffect, useState } from 'react'
import { MicrophoneRefused, type Recording, refusalSentence, startRecording } from '../../lib/voice/microphone.ts'

const shownLevels = 40

interface Options {
  records: boolean
  /** Holds the recording until it is taken or cancelled. */
  recording: RefObject<Recording | null>
  onStarted: () => void
  onRefused: (why: string) => void
}

/** Records from the first render; unmounting cancels a recording that was not taken. Returns the latest levels. */
export const useMicrophone = ({ records, recording, onStarted, onRefused }: Options): number[] => {
  const [levels, setLevels] = useState<number[]>(() => new Array(shownLevels).fill(0))
  // biome-ignore lint/correctness/useExhaustiveDependencies: it starts once
  useEffect(() => {
    if (!records) return
    let gone = false
    const start = async () => {
      try {
        const started = await startRecording((level) => setLevels((shown) => [...shown.slice(1), level]))
        if (gone) return started.cancel()
        recording.current = started
        onStarted()
      } catch (error) {
        if (!(error instanceof MicrophoneRefused)) throw error
        if (!gone) onRefused(refusalSentence[error.refusal])
      }
    }
    void start()
    return () => {
      gone = true
      recording.current?.cancel()
      recording.current = null
    }
  }, [records])
  return levels
}
