import type { Connection } from '@prosa/contracts/http/connections'
import { useQuery } from '@tanstack/react-query'
import { useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { connectionsQuery, isConnected, type WayOut, wayOut } from '../../lib/connections.ts'
import { pollingPace } from '../../lib/live-pace.ts'
import { useLine } from '../../lib/socket.tsx'
import { polling } from './api.ts'
import { isAwaitingLineAtom } from './atoms.ts'

/** The tenant's connections and what can be sent through them; `connections` is undefined, and all is taken to be well, until they are read. */
export const useConnectionState = (): { connections: Connection[] | undefined; connected: boolean; way: WayOut } => {
  const connections = useQuery({ ...connectionsQuery, refetchInterval: () => pollingPace(polling.connections) }).data
  const way = connections ? wayOut(connections) : 'open'
  const line = useLine()
  const setAwaiting = useSetAtom(isAwaitingLineAtom)
  const isAwaiting = way === 'waiting' || line === 'offline' || line === 'reconnecting'
  useEffect(() => setAwaiting(isAwaiting), [isAwaiting, setAwaiting])
  return { connections, connected: connections?.some(isConnected) !== false, way }
}
