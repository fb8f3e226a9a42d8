import { useCallback, useEffect, useRef } from 'react'
import { sentenceOf } from '../../../lib/http.ts'
import { useToast } from '../../../lib/toast.ts'

interface Options {
  reachesLatest: boolean
  outgoingCount: number
  loadLatest: () => Promise<void>
}

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
  // Writing while older messages are in view goes to the latest.
  const countBefore = useRef(outgoingCount)
  useEffect(() => {
    if (outgoingCount > countBefore.current && !reachesLatest) void toLatest()
    countBefore.current = outgoingCount
  }, [outgoingCount, reachesLatest, toLatest])
  return toLatest
}
