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
  find(owner: string, phone: string): Promise<LookedUp | undefined>
  store(owner: string, phone: string, answer: LookedUp): Promise<void>
  forgetTenant(owner: string): Promise<void>
}

const hour = 3_600_000
/** Numbers change hands, and people install WhatsApp. */
const knownMs = 24 * hour
const nobodyMs = 6 * hour

/** Rows are keyed by fingerprint; answers are encrypted. */
export const lookedUpNumbers = (pool: Pool, box: SecretBox, clock: Clock): LookedUpNumbers => {
  const fingerprintOf = (owner: string, phone: string) => box.fingerprint(`${owner} ${phone}`, 'looked up number')
  const contextOf = (owner: string, fingerprint: string) => `looked up number ${owner} ${fingerprint}`
  return {
    async find(owner, phone) {
      const fingerprint = fingerprintOf(owner, phone)
      const encrypted = await findLookedUp(pool, owner, fingerprint, clock.now())
      return encrypted && lookedUp.parse(JSON.parse(box.decrypt(encrypted, contextOf(owner, fingerprint)).toString()))
    },
    async store(owner, phone, answer) {
      const fingerprint = fingerprintOf(owner, phone)
      const encrypted = box.encrypt(Buffer.from(JSON.stringify(answer)), contextOf(owner, fingerprint))
      const now = clock.now()
      const expiresAt = later(now, answer === 'nobody' ? nobodyMs : knownMs)
      await storeLookedUp(pool, { owner, fingerprint, sealed: encrypted, expiresAt, now })
    },
    forgetTenant: (owner) => deleteLookedUp(pool, owner),
  }
}

/** All of the tenant's: the contact's fingerprint can no longer be computed. */
export const forgetLookUpsOnContactErased = (numbers: LookedUpNumbers): Reactor => ({
  name: 'forget-look-ups-on-contact-erased',
  categories: ['contact', 'user'],
  key: ({ stream, metadata }) => metadata.owner ?? stream,
  on: {
    async ContactErased({ metadata: { owner } }) {
      if (owner) await numbers.forgetTenant(owner)
    },
    UserErased: ({ stream }) => numbers.forgetTenant(parseStream(stream).id),
  },
})
