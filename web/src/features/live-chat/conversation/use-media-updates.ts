import type { Message } from '@prosa/contracts/http/live-chat'
import { useCallback } from 'react'
import { notePosition } from '../../../lib/http.ts'
import { useSocketEvent } from '../../../lib/socket.tsx'
import { useToast } from '../../../lib/toast.ts'
import { retryMedia } from '../api.ts'

/** Returns the action that has a file fetched again. */
export const useMediaUpdates = (messages: readonly Message[], renew: (messageId: string) => Promise<void>) => {
  const toast = useToast()
  useSocketEvent('whatsapp:media_update', ({ mediaId, position }) => {
    notePosition(position)
    const changed = messages.find(({ media }) => media?.id === mediaId)
    // Otherwise the next poll reads it.
    if (changed) void renew(changed.id).catch(() => undefined)
  })
  return useCallback(
    async (message: Message) => {
      if (!message.media) return
      try {
        await retryMedia(message.media.id)
        await renew(message.id)
      } catch {
        toast({ kind: 'error', title: 'O arquivo não pôde ser buscado', description: 'Tente de novo em instantes.' })
      }
    },
    [renew, toast],
  )
}
