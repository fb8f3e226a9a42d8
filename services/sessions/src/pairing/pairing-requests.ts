import type { Instant } from '@prosa/contracts/values/instant'
import type { SecretStore } from '@prosa/kernel/privacy/secret-store'
import type { Pool } from 'pg'
import { outboxChannel } from '../outbox/table.ts'

const kind = 'pairing-request'

/** For which phone a subscriber wants a code; kept until the line, which may run in another process, has one to show. */
export interface PairingRequests {
  /** Asks in this attempt to link, the one that ends at `until`. */
  ask(connectionId: string, phone: string, until: Instant): Promise<void>
  /** The phone that was asked for in this attempt. */
  find(connectionId: string, until: Instant): Promise<string | undefined>
  forget(connectionId: string): Promise<void>
}

export const pairingRequests = (pool: Pool, secrets: SecretStore): PairingRequests => ({
  async ask(connectionId, phone, until) {
    await secrets.put(kind, connectionId, `${until} ${phone}`, until)
    await pool.query('select pg_notify($1, $2)', [outboxChannel, connectionId])
  },
  async find(connectionId, until) {
    const [of, phone] = (await secrets.get(kind, connectionId))?.split(' ') ?? []
    return of === until ? phone : undefined
  },
  forget: (connectionId) => secrets.delete(kind, connectionId),
})
