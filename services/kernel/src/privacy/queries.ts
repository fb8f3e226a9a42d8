import type { Pool, PoolClient } from 'pg'
import type { WrappedKey } from './master-keys.ts'
import { erasedChannel, installationKeyLock } from './table.ts'

export interface SubjectKeyRow {
  id: string
  subject: string
  /** Null when erased. */
  wrapped: Buffer | null
  master: string | null
}

/** Excludes other writers until the transaction ends. */
export const holdInstallationKeys = async (db: PoolClient): Promise<void> => {
  await db.query('select pg_advisory_xact_lock($1)', [installationKeyLock])
}

export const readInstallationKeys = async (db: PoolClient): Promise<Map<string, WrappedKey>> => {
  const { rows } = await db.query<WrappedKey & { purpose: string }>('select purpose, wrapped, master from house_key')
  return new Map(rows.map(({ purpose, wrapped, master }) => [purpose, { wrapped, master }]))
}

export const writeInstallationKey = async (
  db: PoolClient,
  purpose: string,
  { wrapped, master }: WrappedKey,
): Promise<void> => {
  await db.query(
    `insert into house_key (purpose, wrapped, master) values ($1, $2, $3)
     on conflict (purpose) do update set wrapped = excluded.wrapped, master = excluded.master`,
    [purpose, wrapped, master],
  )
}

export const encryptedDataExists = async (db: PoolClient): Promise<{ secrets: boolean; subjectKeys: boolean }> => {
  const { rows } = await db.query<{ secrets: boolean; subjectKeys: boolean }>(
    'select exists (select from secret) as secrets, exists (select from subject_key) as "subjectKeys"',
  )
  return rows[0] ?? { secrets: false, subjectKeys: false }
}

/** Reads one index entry per master key. */
export const mastersInUse = async (db: Pool | PoolClient): Promise<string[]> => {
  const { rows } = await db.query<{ master: string }>(
    `with recursive used (master) as (
       select min(master) from subject_key where wrapped is not null
       union all
       select (select min(k.master) from subject_key k where k.wrapped is not null and k.master > used.master)
       from used where used.master is not null
     )
     select master from used where master is not null`,
  )
  return rows.map(({ master }) => master)
}

export interface NewSubjectKey extends WrappedKey {
  id: string
  subject: string
}

/** Adds an offered key where none exists; one statement, without a write where all exist. */
export const findOrAddKeys = async (pool: Pool, offered: readonly NewSubjectKey[]): Promise<SubjectKeyRow[]> => {
  const { rows } = await pool.query<SubjectKeyRow>({
    name: 'privacy find or add keys',
    text: `with offered as (
        select * from unnest($1::uuid[], $2::text[], $3::bytea[], $4::text[]) o (id, subject, wrapped, master)
      ), found as (
        select k.id, k.subject, k.wrapped, k.master
        from offered o join subject_key k on k.subject = o.subject collate "C" and k.wrapped is not null
      ), added as (
        insert into subject_key as k (id, subject, wrapped, master)
        select o.id, o.subject, o.wrapped, o.master from offered o
        where not exists (select from found f where f.subject = o.subject collate "C")
        order by o.subject collate "C"
        on conflict (subject) where wrapped is not null do update set subject = excluded.subject
        returning k.id, k.subject, k.wrapped, k.master
      )
      select * from found union all select * from added`,
    values: [
      offered.map(({ id }) => id),
      offered.map(({ subject }) => subject),
      offered.map(({ wrapped }) => wrapped),
      offered.map(({ master }) => master),
    ],
  })
  return rows
}

export const readCurrentKeys = async (pool: Pool, subjects: readonly string[]): Promise<SubjectKeyRow[]> => {
  const { rows } = await pool.query<SubjectKeyRow>({
    name: 'privacy read current keys',
    text: `select k.id, k.subject, k.wrapped, k.master from unnest($1::text[]) o (subject)
      join subject_key k on k.subject = o.subject collate "C" and k.wrapped is not null`,
    values: [subjects],
  })
  return rows
}

export const readKeys = async (pool: Pool, ids: readonly string[]): Promise<SubjectKeyRow[]> => {
  const { rows } = await pool.query<SubjectKeyRow>({
    name: 'privacy read keys',
    text: 'select id, subject, wrapped, master from subject_key where id = any($1::uuid[])',
    values: [ids],
  })
  return rows
}

/** Prefixes end with a colon. */
export const eraseKeys = async (
  pool: Pool,
  subjects: readonly string[],
  prefixes: readonly string[],
): Promise<number> => {
  const { rows } = await pool.query<{ erased: number }>(
    `with erased as (
       update subject_key k set wrapped = null, master = null, erased_at = now()
       where k.wrapped is not null and (
         k.subject = any($1::text[]) or
         exists (select from unnest($2::text[]) p (prefix) where k.subject >= p.prefix collate "C"
                 and k.subject < (rtrim(p.prefix, ':') || ';') collate "C")
       )
       returning 1
     )
     select (select count(*)::int from erased) as erased, pg_notify('${erasedChannel}', '')`,
    [subjects, prefixes],
  )
  return rows[0]?.erased ?? 0
}

export const readKeysOfOtherMasters = async (
  pool: Pool,
  current: string,
  limit: number,
): Promise<(NewSubjectKey & WrappedKey)[]> => {
  const { rows } = await pool.query<NewSubjectKey & WrappedKey>(
    `select id, subject, wrapped, master from subject_key
     where wrapped is not null and (master < $1 or master > $1) limit $2`,
    [current, limit],
  )
  return rows
}

/** Erased keys stay erased. */
export const rewrapKeys = async (pool: Pool, keys: readonly (WrappedKey & { id: string })[]): Promise<number> => {
  const { rowCount } = await pool.query(
    `update subject_key k set wrapped = n.wrapped, master = n.master
     from unnest($1::uuid[], $2::bytea[], $3::text[]) n (id, wrapped, master)
     where k.id = n.id and k.wrapped is not null`,
    [keys.map(({ id }) => id), keys.map(({ wrapped }) => wrapped), keys.map(({ master }) => master)],
  )
  return rowCount ?? 0
}
