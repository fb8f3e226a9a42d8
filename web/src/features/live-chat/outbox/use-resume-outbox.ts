import { useAtomValue, useStore } from 'jotai'
import { useEffect } from 'react'
import { useLine } from '../../../lib/socket.tsx'
import { attachmentsAtom, keptRecordingsAtom, outgoingAtom } from '../atoms.ts'
import { isUploading } from './outgoing.ts'
import { useOutbox } from './use-outbox.ts'

/**
 * On every screen: takes up what is not sent, at first and whenever the line is back. The browser asks before the page closes
 * while something would be lost with it, or would wait until Prosa is opened again.
 */
export const useResumeOutbox = (): void => {
  const { resume } = useOutbox()
  // Read before the effect below, so that what the browser kept is there when it runs.
  const isSending = useAtomValue(outgoingAtom).some(({ state }) => state === 'sending')
  const isAttached = Object.keys(useAtomValue(attachmentsAtom)).length > 0
  const isRecorded = Object.keys(useAtomValue(keptRecordingsAtom)).length > 0
  const store = useStore()
  const line = useLine()
  const isUp = line === 'online'
  useEffect(() => {
    if (isUp) resume()
  }, [isUp, resume])

  useEffect(() => {
    if (!isSending && !isAttached && !isRecorded) return
    const ask = (event: BeforeUnloadEvent) => {
      const isWaiting = isSending && (!navigator.onLine || line === 'reconnecting')
      if (isAttached || isRecorded || isWaiting || store.get(outgoingAtom).some(isUploading)) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isAttached, isRecorded, isSending, line, store])
}
