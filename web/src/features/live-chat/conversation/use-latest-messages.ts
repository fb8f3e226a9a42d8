import { useCallback, useEffect, useRef } from 'react'
import { sentenceOf } from '../../../lib/http.ts'
import { useToast } from '../../../lib/toast.tsx'

interface Options {
  /** What is loaded reaches the latest message. */
  reachesLatest: boolean
  /** How many messages of ours are on their way. */
  outgoingCount: number
  loadLatest: () => Promise<void>
}

/** Goes to the latest messages; by itself when something is written while older ones are in view. */
export const useLatestMessages = ({ reachesLatest, outgoingCount, loadLatest }: Options) => {
  const toast = useToast()
  const toLatest = useCallback(
    () =>
      loadLatest().catch((error: unknown) =>
        toast({
          kind: 'error',
          title: 'As mensagens recentes não puderam ser lidas',
          description: sentenceOf(error, 'Tente de novo em instantes.'),
        }),
      ),
    [loadLatest, toast],
  )
  // Who writes while older messages are in view wants to see what was written.
  const countBefore = useRef(outgoingCount)
  useEffect(() => {
    if (outgoingCount > countBefore.current && !reachesLatest) void toLatest()
    countBefore.current = outgoingCount
  }, [outgoingCount, reachesLatest, toLatest])
  return toLatest
}
