import type { Connection } from '@prosa/contracts/http/connections'
import { queryOptions } from '@tanstack/react-query'
import { phoneNumber } from '../format/format.ts'
import { call } from '../http/call.ts'
import { noteServerTime } from '../http/server-clock.ts'

/** An unchanged reply is the cached list, whose server time is old. */
const noted = new WeakSet<Connection[]>()

const fetchConnections = async ({ signal }: { signal: AbortSignal }): Promise<Connection[]> => {
  const connections = await call('GET /api/whatsapp/connections', { signal })
  if (!noted.has(connections)) for (const { serverTime } of connections) noteServerTime(serverTime)
  noted.add(connections)
  return connections
}

/** Oldest first; pushes refresh it. */
export const connectionsQuery = queryOptions({
  queryKey: ['whatsapp', 'connections'],
  queryFn: fetchConnections,
  staleTime: 30_000,
})

export const isConnected = ({ status }: Connection): boolean => status === 'connected'

/** `waiting`: sent once the number is connected again; `none`: no number to send from. */
export type SendingStatus = 'open' | 'waiting' | 'none'

/** Includes unknown status: messages to such a number are queued. */
export const numbersOf = (connections: readonly Connection[]): Connection[] =>
  connections.filter((connection) => isConnected(connection) || connection.line !== 'unused')

export const numbersDown = (connections: readonly Connection[]): Connection[] =>
  numbersOf(connections).filter((connection) => !isConnected(connection))

export const sendingStatus = (connections: readonly Connection[]): SendingStatus => {
  if (connections.some(isConnected)) return 'open'
  return numbersOf(connections).length > 0 ? 'waiting' : 'none'
}

/** 'Vendas · (11) 90000-0001' */
export const nameAndNumber = ({ name, phoneNumber: number }: Connection): string =>
  number ? `${name} · ${phoneNumber(number)}` : name

/** Replaces or appends; ignores an outdated push. */
export const withConnection = (connections: readonly Connection[], pushed: Connection): Connection[] => {
  const known = connections.find(({ id }) => id === pushed.id)
  if (!known) return [...connections, pushed]
  if (known.serverTime > pushed.serverTime) return [...connections]
  return connections.map((connection) => (connection.id === pushed.id ? pushed : connection))
}
