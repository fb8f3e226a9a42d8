import type { Connection } from '@prosa/contracts/http/connections'
import { queryOptions } from '@tanstack/react-query'
import { call } from './call.ts'
import { phoneNumber } from './format.ts'
import { noteServerTime } from './server-clock.ts'

let latest: Connection[] | undefined

const fetchConnections = async (): Promise<Connection[]> => {
  const connections = await call('GET /api/whatsapp/connections')
  // An unchanged reply is the same list again, and its time is no longer the server's.
  if (connections !== latest) for (const { serverTime } of connections) noteServerTime(serverTime)
  latest = connections
  return connections
}

/** The subscriber's WhatsApp connections, oldest first. Kept fresh by pushes; screens that show it add their own polling. */
export const connectionsQuery = queryOptions({
  queryKey: ['whatsapp', 'connections'],
  queryFn: fetchConnections,
  staleTime: 30_000,
})

/** True when messages can leave through this connection. */
export const isConnected = ({ status }: Connection): boolean => status === 'connected'

/** How what is written leaves: at once, once a line is back, or not at all, since there is no number to write from. */
export type WayOut = 'open' | 'waiting' | 'none'

/** Those with a number; of one whose state is not known yet at least what is written is kept. */
export const numbersOf = (connections: readonly Connection[]): Connection[] =>
  connections.filter((connection) => isConnected(connection) || connection.line !== 'unused')

/** The numbers whose line is down. */
export const numbersDown = (connections: readonly Connection[]): Connection[] =>
  numbersOf(connections).filter((connection) => !isConnected(connection))

export const wayOut = (connections: readonly Connection[]): WayOut => {
  if (connections.some(isConnected)) return 'open'
  return numbersOf(connections).length > 0 ? 'waiting' : 'none'
}

/** 'Vendas · (11) 90000-0001' */
export const nameAndNumber = ({ name, phoneNumber: number }: Connection): string =>
  number ? `${name} · ${phoneNumber(number)}` : name

/** The list after a push: the connection replaced by id, or appended. A push older than what is shown changes nothing. */
export const withConnection = (connections: readonly Connection[], pushed: Connection): Connection[] => {
  const known = connections.find(({ id }) => id === pushed.id)
  if (!known) return [...connections, pushed]
  if (known.serverTime > pushed.serverTime) return [...connections]
  return connections.map((connection) => (connection.id === pushed.id ? pushed : connection))
}
