import { type RefObject, useEffect, useRef, useState } from 'react'
import type { SendingStatus } from '../../../lib/account/connections.ts'
import { type Typing, typingRepeatMs } from './use-typing.ts'

/** Ends when another conversation opens. */
export const useRecording = (conversation: string | null) => {
  const [isRecording, setRecording] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it ends when another conversation opens
  useEffect(() => setRecording(false), [conversation])
  return [isRecording, setRecording] as const
}

/** Only while messages leave at once. */
export const useRecordingNotice = (isRecording: boolean, way: SendingStatus, { notify }: Typing): void => {
  useEffect(() => {
    if (!isRecording || way !== 'open') return
    notify('recording')
    const timer = setInterval(() => notify('recording'), typingRepeatMs)
    return () => clearInterval(timer)
  }, [isRecording, notify, way])
}

export const useFocusAfterRecording = (isRecording: boolean, input: RefObject<HTMLTextAreaElement | null>): void => {
  const wasRecording = useRef(false)
  useEffect(() => {
    if (wasRecording.current && !isRecording) input.current?.focus()
    wasRecording.current = isRecording
  }, [isRecording, input])
}
