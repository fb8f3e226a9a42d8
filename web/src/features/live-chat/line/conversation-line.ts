import type { Connection } from '@prosa/contracts/http/connections'
import { isConnected, numbersOf, type WayOut, wayOut } from '../../../lib/connections.ts'

/** Over which number of ours a conversation goes on. */
export interface ConversationLine {
  way: WayOut
  /** Null where there is nothing to name: the account has one number, or the server chooses among several. */
  named: Connection | null
}

/** All is taken to be well until the connections are read. Without a line, or with one that was removed, the server chooses. */
export const conversationLine = (
  connections: readonly Connection[] | undefined,
  connectionId: string | null,
): ConversationLine => {
  if (!connections) return { way: 'open', named: null }
  const numbers = numbersOf(connections)
  const own = numbers.find(({ id }) => id === connectionId)
  if (!own) return { way: wayOut(connections), named: null }
  return { way: isConnected(own) ? 'open' : 'waiting', named: numbers.length > 1 ? own : null }
}
