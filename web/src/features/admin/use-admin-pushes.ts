import { useQueryClient } from '@tanstack/react-query'
import { notePosition } from '../../lib/http.ts'
import { readAgain } from '../../lib/merged-readings.ts'
import { useSocketEvent } from '../../lib/socket.tsx'

/** A push of any tenant invalidates all lists: cards and timelines depend on several areas, and unchanged ones are answered 304. */
export const useAdminPushes = (): void => {
  const queries = useQueryClient()
  useSocketEvent('admin:update', ({ position }) => {
    notePosition(position)
    readAgain(queries, ['admin'])
  })
}
