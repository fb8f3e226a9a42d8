import type { Instant } from '@prosa/contracts/values/instant'
import { later } from '@prosa/kernel/clock'
import type { ConnectionCommand, ConnectionState } from '../connection/connection.ts'

/** The line that runs for a connection. */
export interface RunningLine {
  generation: number
  /** Whether it is the line that the connection wants. */
  serves: boolean
}

export type ReconcilerEffect =
  /** The phone is asked first to forget this device with `logOut`: then its credentials were given up, and nothing waits for it. */
  | { type: 'stopLine'; logOut: boolean }
  | { type: 'startLine' }
  /** Asks whether the connection may ask WhatsApp for codes now; `afterTurn` decides what follows. */
  | { type: 'takeTurn'; linkingUntil: Instant }
  | { type: 'leaveTurn' }
  | { type: 'record'; command: ConnectionCommand }
  | { type: 'reconcileLater'; ms: number }
  /** Of these and all earlier generations. */
  | { type: 'deleteCredentials'; generation: number }
  | { type: 'deleteCodes' }
  /** Messages that wait will never go out. */
  | { type: 'failWaiting' }
  /** Nobody has to look after the connection any more. */
  | { type: 'finishLease' }

const isWanted = ({ status }: ConnectionState) => status === 'linking' || status === 'linked'

/**
 * What makes the line of a connection be as its stream wants it, in this order. Pure; doing it twice changes nothing.
 */
export const reconcile = (desired: ConnectionState, line: RunningLine | undefined): readonly ReconcilerEffect[] => {
  const { generation, status, linkingUntil } = desired
  const stop: ReconcilerEffect[] =
    line && !(isWanted(desired) && line.serves) ? [{ type: 'stopLine', logOut: line.generation !== generation }] : []
  if (isWanted(desired)) {
    if (line && stop.length === 0) return []
    return [...stop, linkingUntil === null ? { type: 'startLine' } : { type: 'takeTurn', linkingUntil }]
  }
  return [
    ...stop,
    { type: 'leaveTurn' },
    // Those of today's generation were not given up: another program took the line, or a phone scanned at the last moment.
    { type: 'deleteCredentials', generation: generation - 1 },
    { type: 'deleteCodes' },
    ...(status === 'removed' ? ([{ type: 'failWaiting' }, { type: 'finishLease' }] as const) : []),
  ]
}

interface Turn {
  /** Whether the connection may ask WhatsApp for codes now. */
  hasTurn: boolean
  linkingUntil: Instant
  isDelayed: boolean
}

/** Until its turn the attempt waits, for no longer than any other lasts; `linkingWindow` in milliseconds. */
export const afterTurn = (
  { hasTurn, linkingUntil, isDelayed }: Turn,
  { now, linkingWindow }: { now: Instant; linkingWindow: number },
): readonly ReconcilerEffect[] => {
  if (hasTurn) {
    if (!isDelayed) return [{ type: 'startLine' }]
    // Its end is another now: the event leads here again.
    const data = { waitedUntil: linkingUntil, until: later(now, linkingWindow) }
    return [{ type: 'record', command: { type: 'ResumeLinking', data } }]
  }
  const left = Date.parse(linkingUntil) - Date.parse(now)
  const data = { until: linkingUntil }
  if (left <= 0) return [{ type: 'record', command: { type: 'ExpireLinking', data } }]
  return [
    { type: 'record', command: { type: 'DelayLinking', data } },
    { type: 'reconcileLater', ms: left },
  ]
}
