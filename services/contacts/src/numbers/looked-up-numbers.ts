import { parseStream } from '@prosa/contracts/streams'
import type { Clock } from '@prosa/kernel/clock'
import { later } from '@prosa/kernel/clock'
import type { Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { SecretBox } from '@prosa/kernel/privacy/secret-box'
import type { Pool } from 'pg'
import { z } from 'zod'
import { deleteLookedUp, findLookedUp, storeLookedUp } from '../queries.ts'

const lookedUp = z.union([z.object({ phone: z.string(), lid: z.string().nullable() }), z.literal('nobody')])
export type LookedUp = z.infer<typeof lookedUp>

/** Each query adds to the risk of a ban. */
export interface LookedUpNumbers {
  find(tenant: string, phone: string): Promise<LookedUp | undefined>
  store(tenant: string, phone: string, answer: LookedUp): Promise<void>
  forgetTenant(tenant: string): Promise<void>
}

const hour = 3_600_000
/** Numbers change hands, and people install WhatsApp. */
const knownMs = 24 * hour
const nobodyMs = 6 * hour

/** Rows are keyed by fingerprint; answers are encrypted. */
export const lookedUpNumbers = (pool: Pool, box: SecretBox, clock: Clock): LookedUpNumbers => {
  const fingerprintOf = (tenant: string, phone: string) => box.fingerprint(`${tenant} ${phone}`, 'looked up number')
  const contextOf = (tenant: string, fingerprint: string) => `looked up number ${tenant} ${fingerprint}`
  return {
    async find(tenant, phone) {
      const fingerprint = fingerprintOf(tenant, phone)
      const encrypted = await findLookedUp(pool, tenant, fingerprint, clock.now())
      return encrypted && lookedUp.parse(JSON.parse(box.decrypt(encrypted, contextOf(tenant, fingerprint)).toString()))
    },
    async store(tenant, phone, answer) {
      const fingerprint = fingerprintOf(tenant, phone)
      const encrypted = box.encrypt(Buffer.from(JSON.stringify(answer)), contextOf(tenant, fingerprint))
      const now = clock.now()
      const expiresAt = later(now, answer === 'nobody' ? nobodyMs : knownMs)
      await storeLookedUp(pool, { tenant, fingerprint, sealed: encrypted, expiresAt, now })
    },
    forgetTenant: (tenant) => deleteLookedUp(pool, tenant),
  }
}

/** All of the tenant's: the contact's fingerprint can no longer be computed. */
export const forgetLookUpsOnContactErased = (numbers: LookedUpNumbers): Reactor => ({
  name: 'forget-look-ups-on-contact-erased',
  categories: ['contact', 'user'],
  key: ({ stream, metadata }) => metadata.tenant ?? stream,
  on: {
    async ContactErased({ metadata: { tenant } }) {
      if (tenant) await numbers.forgetTenant(tenant)
    },
    UserErased: ({ stream }) => numbers.forgetTenant(parseStream(stream).id),
  },
})
