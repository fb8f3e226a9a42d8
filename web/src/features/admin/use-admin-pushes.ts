import { useQueryClient } from '@tanstack/react-query'
import { rememberPosition } from '../../lib/http.ts'
import { readAgain } from '../../lib/merged-readings.ts'
import { useSocketEvent } from '../../lib/socket.tsx'

/**
 * Reads the open lists again when something of them changed, of whichever tenant. All of them: cards and timelines depend on
 * several areas, and what did not change is answered 304.
 */
export const useAdminPushes = (): void => {
  const queries = useQueryClient()
  useSocketEvent('admin:update', ({ position }) => {
    rememberPosition(position)
    readAgain(queries, ['admin'])
  })
}
