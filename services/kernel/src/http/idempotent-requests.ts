import type { Pool } from 'pg'
import { type Clock, later } from '../clock.ts'
import type { SecretBox } from '../privacy/secret-box.ts'

/** What the first request was answered, as it went out. */
export interface StoredReply {
  status: number
  headers: Record<string, string>
  body: string
}

export type Turn =
  /** It is ours to run; `repeated` when it was begun before and nobody knows how far it got. */
  | { kind: 'run'; repeated: boolean }
  | { kind: 'answered'; reply: StoredReply }
  | { kind: 'running' }
  /** The key was used for something else. */
  | { kind: 'other' }

/** Requests that carry a key, for 24 hours: who runs them, and what they were answered. */
export interface IdempotentRequests {
  begin(id: string, fingerprint: string): Promise<Turn>
  /** What is known of it, and nothing is noted; undefined of what never began. */
  find(id: string, fingerprint: string): Promise<Turn | undefined>
  /** The first answer stays. */
  answer(id: string, reply: StoredReply): Promise<void>
  /** Gives it up without an answer: who asks again runs it again. */
  release(id: string): Promise<void>
}

const kept = 24 * 3600 * 1000
/** A process that died is taken over from after this; running twice at once would be harmless, only wasteful. */
const lease = 5000
const betweenCleanups = 10 * 60 * 1000

/** Keys and bodies are stored as keyed hashes, replies encrypted: they may hold personal data. */
export const idempotentRequests = (pool: Pool, box: SecretBox, clock: Clock): IdempotentRequests => {
  const context = (id: string) => `idempotent request ${id}`
  let cleanedAt = ''

  const cleanUp = async (now: string) => {
    if (cleanedAt && later(cleanedAt, betweenCleanups) > now) return
    cleanedAt = now
    await pool.query('delete from idempotent_request where created_at < $1', [later(now, -kept)])
  }

  const find = async (id: string, fingerprint: string): Promise<Turn | undefined> => {
    const { rows: found } = await pool.query<{ fingerprint: string; reply: Buffer | null; is_claimed: boolean }>(
      `select fingerprint, reply, coalesce(claimed_until > $2, false) as is_claimed from idempotent_request where id = $1`,
      [id, clock.now()],
    )
    const [request] = found
    if (!request) return undefined
    if (request.fingerprint !== fingerprint) return { kind: 'other' }
    if (!request.reply) return request.is_claimed ? { kind: 'running' } : { kind: 'run', repeated: true }
    return { kind: 'answered', reply: JSON.parse(box.open(request.reply, context(id)).toString()) }
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
          [id, fingerprint, later(now, lease), now],
        )
        if (claimed[0]) return { kind: 'run', repeated: !claimed[0].is_new }
        const found = await find(id, fingerprint)
        // Deleted by a cleanup or given up in between: it is ours after all.
        if (found && found.kind !== 'run') return found
      }
    },
    async answer(id, reply) {
      const sealed = box.seal(Buffer.from(JSON.stringify(reply)), context(id))
      await pool.query(
        'update idempotent_request set reply = $2, claimed_until = null where id = $1 and reply is null',
        [id, sealed],
      )
    },
    async release(id) {
      await pool.query('update idempotent_request set claimed_until = null where id = $1', [id])
    },
  }
}
