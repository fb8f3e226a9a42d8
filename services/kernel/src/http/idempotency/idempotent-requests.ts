import type { Pool } from 'pg'
import { type Clock, later } from '../../clock.ts'
import type { SecretBox } from '../../privacy/secret-box.ts'

export interface StoredReply {
  status: number
  headers: Record<string, string>
  body: string
}

export type Claim =
  | { kind: 'run'; repeated: boolean }
  | { kind: 'answered'; reply: StoredReply }
  | { kind: 'running' }
  /** The key was used with other content. */
  | { kind: 'other' }

/** Kept for 24 hours. */
export interface IdempotentRequests {
  begin(id: string, fingerprint: string): Promise<Claim>
  /** Reads without claiming; undefined if it never began. */
  find(id: string, fingerprint: string): Promise<Claim | undefined>
  /** The first reply stays. */
  answer(id: string, reply: StoredReply): Promise<void>
  /** Without a reply: a repetition runs again. */
  release(id: string): Promise<void>
}

const retentionMs = 24 * 3600 * 1000
/** Taken over after this. Running twice is harmless, only wasteful. */
const leaseMs = 5000
const cleanupEveryMs = 10 * 60 * 1000

/** Stores keys and bodies as keyed hashes, replies encrypted: they may be personal. */
export const idempotentRequests = (pool: Pool, box: SecretBox, clock: Clock): IdempotentRequests => {
  const context = (id: string) => `idempotent request ${id}`
  let cleanedAt = ''

  const cleanUp = async (now: string) => {
    if (cleanedAt && later(cleanedAt, cleanupEveryMs) > now) return
    cleanedAt = now
    await pool.query('delete from idempotent_request where created_at < $1', [later(now, -retentionMs)])
  }

  const find = async (id: string, fingerprint: string): Promise<Claim | undefined> => {
    const { rows: found } = await pool.query<{ fingerprint: string; reply: Buffer | null; is_claimed: boolean }>(
      `select fingerprint, reply, coalesce(claimed_until > $2, false) as is_claimed from idempotent_request where id = $1`,
      [id, clock.now()],
    )
    const [request] = found
    if (!request) return undefined
    if (request.fingerprint !== fingerprint) return { kind: 'other' }
    if (!request.reply) return request.is_claimed ? { kind: 'running' } : { kind: 'run', repeated: true }
    return { kind: 'answered', reply: JSON.parse(box.decrypt(request.reply, context(id)).toString()) }
  }

  return {
    find,
    async begin(id, fingerprint) {
      for (;;) {
        const now = clock.now()
        await cleanUp(now)
        const { rows: claimed } = await pool.query<{ is_new: boolean }>(
          `insert into idempotent_request as r (id, fingerprint, claimed_until, created_at) values ($1, $2, $3, $4)
           on conflict (id) do update set claimed_until = excluded.claimed_until
             where r.reply is null and r.fingerprint = excluded.fingerprint
               and (r.claimed_until is null or r.claimed_until <= $4)
           returning xmax = 0 as is_new`,
          [id, fingerprint, later(now, leaseMs), now],
        )
        if (claimed[0]) return { kind: 'run', repeated: !claimed[0].is_new }
        const found = await find(id, fingerprint)
        if (found && found.kind !== 'run') return found
      }
    },
    async answer(id, reply) {
      const encrypted = box.encrypt(Buffer.from(JSON.stringify(reply)), context(id))
      await pool.query(
        'update idempotent_request set reply = $2, claimed_until = null where id = $1 and reply is null',
        [id, encrypted],
      )
    },
    async release(id) {
      await pool.query('update idempotent_request set claimed_until = null where id = $1', [id])
    },
  }
}
