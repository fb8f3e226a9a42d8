/** What follows when WhatsApp closes a line; the table of codes is in the README. */
export type NextStep = 'reconnect_at_once' | 'reconnect_later' | 'unlinked' | 'refused' | 'replaced' | 'refs_ended'

export interface Close {
  /** Baileys' `DisconnectReason` or another HTTP-like number; 0 when the library gave none. */
  code: number
  reason: string
}

export interface BadSessions {
  /** Closes with 500 in a row, this one included. */
  count: number
  /** Whether they have gone on for too long to be trouble of WhatsApp's own, which everybody gets. */
  haveLasted: boolean
}

/** A ban that ends by itself: the credentials are good again then, and nobody knocks meanwhile. */
export const temporaryBan = 402

/** After this many bad sessions (500) in a row, when they have lasted, the number must be linked anew. */
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
      // The same code means that no QR code is left and that the line went silent; only the text distinguishes them.
      return reason.startsWith('QR refs') ? 'refs_ended' : 'reconnect_later'
    case 500:
      return badSessions.count >= badSessionLimit && badSessions.haveLasted ? 'refused' : 'reconnect_later'
    default:
      return 'reconnect_later'
  }
}
