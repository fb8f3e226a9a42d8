import type { PoolClient } from 'pg'
import { absoluteSeconds, idleSeconds, revokedChannel } from '../http/sign-in/browser-sessions.ts'

const cleanupLock = 724_005

/** Holds until the transaction ends; false while another process cleans up. */
export const lockCleanup = async (db: PoolClient): Promise<boolean> => {
  const { rows } = await db.query<{ taken: boolean }>('select pg_try_advisory_xact_lock($1) as taken', [cleanupLock])
  return rows[0]?.taken === true
}

/** By then the reactor's checkpoint is past the event. Unmarked claims stay until an administrator decides. */
const effectDays = 90

/** Deletes at most `limit` rows and returns the count, by the database's clock. */
export type Cleanup = (db: PoolClient, limit: number) => Promise<number>

export const cleanups: Record<string, Cleanup> = {
  async 'effects made'(db, limit) {
    const { rowCount } = await db.query(
      `delete from effect_once where id in (
         select id from effect_once where made_at < now() - make_interval(days => ${effectDays}) limit $1)`,
      [limit],
    )
    return rowCount ?? 0
  },
  /** Entries first: they are found by their snapshot. */
  async 'snapshots of the erased'(db, limit) {
    const erased = 'stream_snapshot s join subject_key k on k.id = s.subject_key and k.wrapped is null'
    const entries = await db.query(
      `delete from stream_entry where (lineage, key) in (
         select e.lineage, e.key from ${erased} join stream_entry e on e.lineage = s.lineage limit $1)`,
      [limit],
    )
    const left = limit - (entries.rowCount ?? 0)
    if (left === 0) return limit
    const snapshots = await db.query(
      `delete from stream_snapshot where (stream, decider, fold_version, revision) in (
         select s.stream, s.decider, s.fold_version, s.revision from ${erased} limit $1)`,
      [left],
    )
    return limit - left + (snapshots.rowCount ?? 0)
  },
  async 'secrets expired'(db, limit) {
    const { rowCount } = await db.query(
      `delete from secret where (kind, id) in (select kind, id from secret where expires_at <= now() limit $1)
         and expires_at <= now()`,
      [limit],
    )
    return rowCount ?? 0
  },
  /** Days that are over in every time zone. */
  async 'spending of past days'(db, limit) {
    const { rowCount } = await db.query(
      `delete from tenant_spending where (owner, kind, day) in (
         select owner, kind, day from tenant_spending
         where day <> '' and day < to_char(now() - interval '3 days', 'YYYY-MM-DD') limit $1)`,
      [limit],
    )
    return rowCount ?? 0
  },
  /** An hour late, as another clock set the expiry. */
  async 'answers of repeated requests'(db, limit) {
    const { rowCount } = await db.query(
      `delete from idempotent_request where id in (
         select id from idempotent_request where created_at < now() - interval '25 hours' limit $1)`,
      [limit],
    )
    return rowCount ?? 0
  },
  async 'browser sessions over'(db, limit) {
    const isOver = `(seen_at < now() - make_interval(secs => ${idleSeconds})
      or created_at < now() - make_interval(secs => ${absoluteSeconds}))`
    const { rowCount } = await db.query(
      `with ended as (
         delete from browser_session where token_hash in (select token_hash from browser_session where ${isOver} limit $1)
           and ${isOver} returning encode(token_hash, 'hex') as hash)
       select pg_notify('${revokedChannel}', hash) from ended`,
      [limit],
    )
    return rowCount ?? 0
  },
  /** None of them could still be in use. */
  async 'notes of ended sessions'(db, limit) {
    const { rowCount } = await db.query(
      `delete from ended_session where id in (
         select id from ended_session where ended_at < now() - make_interval(secs => ${absoluteSeconds + 86_400}) limit $1)`,
      [limit],
    )
    return rowCount ?? 0
  },
}
