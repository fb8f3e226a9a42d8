import type { Connection } from '@prosa/contracts/http/connections'
import { useQuery } from '@tanstack/react-query'
import { useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { connectionsQuery, isConnected, numbersDown, numbersOf } from '../../lib/connections.ts'
import { pollingPace } from '../../lib/live-pace.ts'
import { useSocketStatus } from '../../lib/socket.tsx'
import { polling } from './api.ts'
import { hasSeveralNumbersAtom, linesAwayAtom } from './atoms.ts'

/** Undefined, and assumed connected, until read. */
export const useConnectionState = (): { connections: Connection[] | undefined; connected: boolean } => {
  const connections = useQuery({ ...connectionsQuery, refetchInterval: () => pollingPace(polling.connections) }).data
  const status = useSocketStatus()
  const isApart = status === 'offline' || status === 'reconnecting'
  const connected = connections?.some(isConnected) !== false
  const [numbers, down] = [numbersOf(connections ?? []), numbersDown(connections ?? [])]
  const setSeveral = useSetAtom(hasSeveralNumbersAtom)
  useEffect(() => setSeveral(numbers.length > 1), [numbers.length, setSeveral])
  const setAway = useSetAtom(linesAwayAtom)
  const away = isApart || (!connected && down.length > 0) ? 'all' : down.map(({ id }) => id).join()
  useEffect(() => setAway(away), [away, setAway])
  return { connections, connected }
}
