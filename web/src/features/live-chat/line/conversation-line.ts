import type { Connection } from '@prosa/contracts/http/connections'
import { isConnected, numbersOf, type SendingStatus, sendingStatus } from '../../../lib/account/connections.ts'

export interface ConversationLine {
  way: SendingStatus
  /** Null where the account has one number or the server chooses. */
  named: Connection | null
}

/** Assumes connected until read. Without a line, or with a removed one, the server chooses. */
export const conversationLine = (
  connections: readonly Connection[] | undefined,
  connectionId: string | null,
): ConversationLine => {
  if (!connections) return { way: 'open', named: null }
  const numbers = numbersOf(connections)
  const own = numbers.find(({ id }) => id === connectionId)
  if (!own) return { way: sendingStatus(connections), named: null }
  return { way: isConnected(own) ? 'open' : 'waiting', named: numbers.length > 1 ? own : null }
}
