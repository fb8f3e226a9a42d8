import { normalizeIP } from '@fastify/rate-limit'
import type { Refusal } from '@prosa/contracts/refusals'
import { lruMap } from '../lru-map.ts'
import type { Logger } from './log.ts'

/** What happened: a refusal's name, or a change of who may do what. */
export type SecurityEvent = Refusal | 'role_granted' | 'role_revoked'

export interface SecurityDetails {
  /** The account that acted, or whose sign-in was tried. */
  userId?: string | undefined
  /** Where the request came from; logged as a keyed hash, of IPv6 the customer's /64. */
  ip?: string | undefined
  method?: string | undefined
  /** The template, never the address that was asked for. */
  route?: string | undefined
  role?: string | undefined
  correlationId?: string | undefined
}

/** Lines for whoever looks for break-ins: `docs/operating.md` lists their fields. They hold no personal data. */
export interface SecurityLog {
  record(event: SecurityEvent, details: SecurityDetails): void
}

const windowMs = 60_000
const rememberedKeys = 10_000

/** 20 hexadecimal digits, in capitals: the log takes long words of small letters and digits for secrets. */
const addressLength = 20

/**
 * Writes a line at level warn for the first of equal events within a minute (same event, route, account and address), and
 * counts the others in `omitted` of the next one: who floods us with refusals does not flood the log. `stopwatch` is in
 * milliseconds.
 */
export const securityLog = (
  { log, box }: { log: Logger; box: { fingerprint(value: string, purpose: string): string } },
  stopwatch: () => number = () => performance.now(),
): SecurityLog => {
  const windows = lruMap<string, { endsAt: number; omitted: number }>(rememberedKeys)

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

/** Wrong passwords and links are answered with other statuses than 401, but are attempts to get in as well. */
const alsoRecorded: readonly Refusal[] = ['reset_link_invalid', 'wrong_current_password']

/** Whether a refusal means that somebody was not let in: 401, 403, 429, and a wrong password or link. */
export const isSecurityRefusal = (refusal: Refusal, status: number): boolean =>
  [401, 403, 429].includes(status) || alsoRecorded.includes(refusal)
