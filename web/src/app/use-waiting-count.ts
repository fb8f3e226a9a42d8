import { useQuery, useQueryClient } from '@tanstack/react-query'
import { notePosition } from '../lib/http.ts'
import { usePollingPace } from '../lib/live-pace.ts'
import { readAgain } from '../lib/merged-readings.ts'
import { useSocketEvent } from '../lib/socket.tsx'
import { useWaitingTab } from '../lib/tab-title.ts'
import { contactCountsQuery } from '../lib/waiting.ts'

export const useWaitingCount = (): number => {
  const client = useQueryClient()
  usePollingPace()
  const waiting = useQuery(contactCountsQuery).data?.waiting ?? 0
  const follow = ({ position }: { position: string }) => {
    notePosition(position)
    readAgain(client, contactCountsQuery.queryKey)
  }
  useSocketEvent('whatsapp:new_message', follow)
  useSocketEvent('whatsapp:contact_update', follow)
  useWaitingTab(waiting)
  return waiting
}
