import { temporaryBan } from '../domain/connection.ts'
import type { Close } from '../gateway/gateway.ts'

/** Table of codes: README. */
export type NextStep = 'reconnect_at_once' | 'reconnect_later' | 'unlinked' | 'refused' | 'replaced' | 'refs_ended'

export interface BadSessions {
  /** Consecutive closes with 500, including this one. */
  count: number
  /** True when they have lasted too long for a general outage of WhatsApp. */
  haveLasted: boolean
}

/** After so many (500) that have lasted, the number must be linked again. */
const badSessionLimit = 5

export const reconnectRule = ({ code, reason }: Close, badSessions: BadSessions): NextStep => {
  switch (code) {
    case 515:
      return 'reconnect_at_once'
    case 401:
      return 'unlinked'
    case temporaryBan:
    case 403:
    case 406:
    case 411:
      return 'refused'
    case 440:
      return 'replaced'
    case 408:
      // The code means both exhausted QR codes and a silent line.
      return reason.startsWith('QR refs') ? 'refs_ended' : 'reconnect_later'
    case 500:
      return badSessions.count >= badSessionLimit && badSessions.haveLasted ? 'refused' : 'reconnect_later'
    default:
      return 'reconnect_later'
  }
}
