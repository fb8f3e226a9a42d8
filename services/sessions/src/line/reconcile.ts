import type { Instant } from '@prosa/contracts/values/instant'
import { later } from '@prosa/kernel/clock'
import type { ConnectionCommand, ConnectionState } from '../domain/connection.ts'

export interface RunningLine {
  generation: number
  serves: boolean
}

export type ReconcilerEffect =
  /** `logOut` unlinks the device; nothing waits for it. */
  | { type: 'stopLine'; logOut: boolean }
  | { type: 'startLine' }
  | { type: 'takeSlot'; linkingUntil: Instant }
  | { type: 'releaseSlot' }
  | { type: 'record'; command: ConnectionCommand }
  | { type: 'reconcileLater'; ms: number }
  /** Also of earlier generations. */
  | { type: 'deleteCredentials'; generation: number }
  | { type: 'deleteCodes' }
  | { type: 'failWaiting' }
  | { type: 'finishLease' }

const isWanted = ({ status }: ConnectionState) => status === 'linking' || status === 'linked'

/** In this order. Pure; idempotent. */
export const reconcile = (desired: ConnectionState, line: RunningLine | undefined): readonly ReconcilerEffect[] => {
  const { generation, status, linkingUntil } = desired
  const stop: ReconcilerEffect[] =
    line && !(isWanted(desired) && line.serves) ? [{ type: 'stopLine', logOut: line.generation !== generation }] : []
  if (isWanted(desired)) {
    if (line && stop.length === 0) return []
    return [...stop, linkingUntil === null ? { type: 'startLine' } : { type: 'takeSlot', linkingUntil }]
  }
  return [
    ...stop,
    { type: 'releaseSlot' },
    // The current generation's were not given up: another program replaced the line, or a phone scanned at the last moment.
    { type: 'deleteCredentials', generation: generation - 1 },
    { type: 'deleteCodes' },
    ...(status === 'removed' ? ([{ type: 'failWaiting' }, { type: 'finishLease' }] as const) : []),
  ]
}

interface Slot {
  hasSlot: boolean
  linkingUntil: Instant
  isDelayed: boolean
}

/** A delayed attempt waits at most as long as any attempt lasts; `linkingWindow` in ms. */
export const afterSlot = (
  { hasSlot, linkingUntil, isDelayed }: Slot,
  { now, linkingWindow }: { now: Instant; linkingWindow: number },
): readonly ReconcilerEffect[] => {
  if (hasSlot) {
    if (!isDelayed) return [{ type: 'startLine' }]
    // This changes its end: the event leads here again.
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
