import type { Instant } from '@prosa/contracts/values/instant'
import type { SecretStore } from '@prosa/kernel/privacy/secret-store'
import type { Pool } from 'pg'
import { outboxChannel } from '../../outbox/table.ts'

/** Kind under which the code to type on the phone is kept, by connection. */
export const pairingCodeSecret = 'pairing-code'

const kind = 'pairing-request'

/** For which phone a subscriber wants a code; kept until the line, which may run in another process, has one to show. */
export interface PairingRequests {
  /** Asks in this attempt to link, the one that ends at `until`. A code for another phone is shown no more. */
  ask(connectionId: string, phone: string, until: Instant): Promise<void>
  /** The phone that was asked for in this attempt. */
  find(connectionId: string, until: Instant): Promise<string | undefined>
  forget(connectionId: string): Promise<void>
}

export const pairingRequests = (pool: Pool, secrets: SecretStore): PairingRequests => ({
  async ask(connectionId, phone, until) {
    const request = `${until} ${phone}`
    const before = await secrets.get(kind, connectionId)
    if (before !== undefined && before !== request) await secrets.delete(pairingCodeSecret, connectionId)
    await secrets.put(kind, connectionId, request, until)
    await pool.query('select pg_notify($1, $2)', [outboxChannel, connectionId])
  },
  async find(connectionId, until) {
    const [of, phone] = (await secrets.get(kind, connectionId))?.split(' ') ?? []
    return of === until ? phone : undefined
  },
  forget: (connectionId) => secrets.delete(kind, connectionId),
})
