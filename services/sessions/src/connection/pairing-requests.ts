import type { Instant } from '@prosa/contracts/values/instant'
import type { SecretStore } from '@prosa/kernel/privacy/secret-store'
import type { Pool } from 'pg'
import { lineChannel } from '../line-channel.ts'

export const pairingCodeSecret = 'pairing-code'

const kind = 'pairing-request'

/** Requested phone numbers, stored until the line, perhaps in another process, can show a code. */
export interface PairingRequests {
  /** Replaces a request for another phone; valid in the attempt that ends at `until`. */
  ask(connectionId: string, phone: string, until: Instant): Promise<void>
  find(connectionId: string, until: Instant): Promise<string | undefined>
  forget(connectionId: string): Promise<void>
}

export const pairingRequests = (pool: Pool, secrets: SecretStore): PairingRequests => ({
  async ask(connectionId, phone, until) {
    const request = `${until} ${phone}`
    const before = await secrets.get(kind, connectionId)
    if (before !== undefined && before !== request) await secrets.delete(pairingCodeSecret, connectionId)
    await secrets.put(kind, connectionId, request, until)
    await pool.query('select pg_notify($1, $2)', [lineChannel, connectionId])
  },
  async find(connectionId, until) {
    const [of, phone] = (await secrets.get(kind, connectionId))?.split(' ') ?? []
    return of === until ? phone : undefined
  },
  forget: (connectionId) => secrets.delete(kind, connectionId),
})
