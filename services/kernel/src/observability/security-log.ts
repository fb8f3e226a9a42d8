import { normalizeIP } from '@fastify/rate-limit'
import type { Refusal } from '@prosa/contracts/refusals'
import { lruMap } from '../lru-map.ts'
import type { Logger } from './log.ts'

export type SecurityEvent = Refusal | 'role_granted' | 'role_revoked'

export interface SecurityDetails {
  /** The account that acted or was signed in to. */
  userId?: string | undefined
  /** Logged as a keyed hash; IPv6 as the /64. */
  ip?: string | undefined
  method?: string | undefined
  /** The template, not the address. */
  route?: string | undefined
  role?: string | undefined
  correlationId?: string | undefined
}

/** No personal data; fields: `docs/operating.md`. */
export interface SecurityLog {
  record(event: SecurityEvent, details: SecurityDetails): void
}

const windowMs = 60_000
const maxKeys = 10_000

/** Capitals, as the log redacts long words of small letters and digits. */
const addressLength = 20

/**
 * Logs the first of equal events (event, route, account, address) within a minute and counts the others in `omitted`, against floods.
 * `stopwatch` in milliseconds.
 */
export const securityLog = (
  { log, box }: { log: Logger; box: { fingerprint(value: string, purpose: string): string } },
  stopwatch: () => number = () => performance.now(),
): SecurityLog => {
  const windows = lruMap<string, { endsAt: number; omitted: number }>(maxKeys)

  return {
    record(event, { ip, userId, ...details }) {
      const address = ip && box.fingerprint(normalizeIP(ip), 'security log').slice(0, addressLength).toUpperCase()
      const key = JSON.stringify([event, details.route, details.role, userId, address])
      const window = windows.get(key)
      const now = stopwatch()
      if (window && now < window.endsAt) {
        window.omitted++
        return
      }
      windows.set(key, { endsAt: now + windowMs, omitted: 0 })
      log.warn(
        { security: event, user: userId, address, ...details, omitted: window?.omitted || undefined },
        'security',
      )
    },
  }
}

/** Break-in attempts with a status other than 401. */
const alsoRecorded: readonly Refusal[] = ['reset_link_invalid', 'wrong_current_password']

export const isSecurityRefusal = (refusal: Refusal, status: number): boolean =>
  [401, 403, 429].includes(status) || alsoRecorded.includes(refusal)
