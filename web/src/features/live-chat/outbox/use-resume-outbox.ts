import { useAtomValue, useStore } from 'jotai'
import { useEffect } from 'react'
import { useSocketStatus } from '../../../lib/realtime/socket.tsx'
import { attachmentsAtom, outgoingAtom, unsentRecordingsAtom } from '../atoms.ts'
import { isUploading } from './outgoing.ts'
import { useOutbox } from './use-outbox.ts'

/** On every screen, at start and on reconnection. The browser warns before closing while something would be lost or delayed. */
export const useResumeOutbox = (): void => {
  const { resume } = useOutbox()
  // Must come before the effect below, which needs the stored messages.
  const isSending = useAtomValue(outgoingAtom).some(({ state }) => state === 'sending')
  const isAttached = Object.keys(useAtomValue(attachmentsAtom)).length > 0
  const isRecorded = Object.keys(useAtomValue(unsentRecordingsAtom)).length > 0
  const store = useStore()
  const status = useSocketStatus()
  const isUp = status === 'online'
  useEffect(() => {
    if (isUp) resume()
  }, [isUp, resume])

  useEffect(() => {
    if (!isSending && !isAttached && !isRecorded) return
    const ask = (event: BeforeUnloadEvent) => {
      const isWaiting = isSending && (!navigator.onLine || status === 'reconnecting')
      if (isAttached || isRecorded || isWaiting || store.get(outgoingAtom).some(isUploading)) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isAttached, isRecorded, isSending, status, store])
}
