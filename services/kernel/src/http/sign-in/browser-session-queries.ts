import type { Pool, PoolClient } from 'pg'

export interface CurrentCredential {
  userId: string
  /** Id of the current password; null after erasure. */
  credentialId: string | null
  /** Set by another person: only permits setting a new one. */
  isTemporary?: boolean
  /** Grows with each password; orders late writers. */
  epoch: number
}

export interface FoundSession {
  user_id: string
  /** Last seen over an hour ago. */
  stale: boolean
  seconds_left: number
  must_change_password: boolean
  /** Milliseconds since 1970. */
  ends_at: number
}

interface Limits {
  idleSeconds: number
  absoluteSeconds: number
}

/** Only while its password is the account's. Where none is known, the reactor has not processed the account yet. */
export const findSession = async (
  pool: Pool,
  hash: string,
  { idleSeconds, absoluteSeconds }: Limits,
): Promise<FoundSession | undefined> => {
  const { rows } = await pool.query<FoundSession>({
    name: 'browser session',
    text: `select s.user_id, s.seen_at < now() - interval '1 hour' as stale,
             coalesce(c.is_temporary, false) as must_change_password,
             extract(epoch from s.created_at + make_interval(secs => ${absoluteSeconds}))::float8 * 1000 as ends_at,
             extract(epoch from least(
               s.seen_at + make_interval(secs => ${idleSeconds}),
               s.created_at + make_interval(secs => ${absoluteSeconds})
             ) - now())::float8 as seconds_left
           from browser_session s left join current_credential c on c.user_id = s.user_id
           where s.token_hash = decode($1, 'hex')
             and (c.user_id is null or c.credential_id in (s.credential_id, s.next_credential_id))`,
    values: [hash],
  })
  return rows[0]
}

export const addSession = async (pool: Pool, hash: string, userId: string): Promise<void> => {
  await pool.query("insert into browser_session (token_hash, user_id) values (decode($1, 'hex'), $2)", [hash, userId])
}

/** Adds none if the password changed; the lock orders it against changes. */
export const addSessionOf = async (
  pool: Pool,
  hash: string,
  userId: string,
  credentialId: string,
): Promise<boolean> => {
  const { rowCount } = await pool.query(
    `insert into browser_session (token_hash, user_id, credential_id)
     select decode($1, 'hex'), user_id, credential_id from current_credential
     where user_id = $2 and credential_id = $3 for share`,
    [hash, userId, credentialId],
  )
  return rowCount === 1
}

/** Returns the hashes of the ended sessions. Passes by rows that another sign-in of the account is ending: two that wait deadlock. */
export const endOldestSessions = async (
  pool: Pool,
  userId: string,
  max: number,
  revokedChannel: string,
): Promise<string[]> => {
  const { rows } = await pool.query<{ hash: string }>(
    `with ended as (
       delete from browser_session where token_hash in (
         select token_hash from browser_session where token_hash in (
           select token_hash from browser_session where user_id = $1 order by created_at desc offset $2)
         for update skip locked)
       returning encode(token_hash, 'hex') as hash)
     select hash, pg_notify('${revokedChannel}', hash) from ended`,
    [userId, max],
  )
  return rows.map(({ hash }) => hash)
}

export const assignSession = async (
  pool: Pool,
  hash: string,
  { from, to }: { from: string; to: string },
): Promise<void> => {
  await pool.query(
    "update browser_session set credential_id = $2, next_credential_id = $3 where token_hash = decode($1, 'hex')",
    [hash, from, to],
  )
}

export const endSession = async (pool: Pool, hash: string, revokedChannel: string): Promise<boolean> => {
  const { rowCount } = await pool.query(
    `with ended as (delete from browser_session where token_hash = decode($1, 'hex') returning 1)
     select pg_notify('${revokedChannel}', $1) from ended`,
    [hash],
  )
  return rowCount === 1
}

/** Makes every process look these sessions up again; returns their hashes. */
const announceSessions = async (db: PoolClient, userId: string, channel: string): Promise<string[]> => {
  const { rows } = await db.query<{ hash: string }>(
    `select hash, pg_notify('${channel}', hash)
     from (select encode(token_hash, 'hex') as hash from browser_session where user_id = $1) as session`,
    [userId],
  )
  return rows.map(({ hash }) => hash)
}

/**
 * Saves the password unless a later one is known, and ends sessions of all others. Returns the hashes of those, and of sessions whose
 * password is no longer temporary. Needs a transaction: the row lock makes all earlier sessions visible.
 */
export const followCredential = async (
  db: PoolClient,
  { userId, credentialId, epoch, isTemporary = false }: CurrentCredential,
  revokedChannel: string,
): Promise<string[]> => {
  const { rows: before } = await db.query<{ is_temporary: boolean }>(
    'select is_temporary from current_credential where user_id = $1 for update',
    [userId],
  )
  await db.query(
    `insert into current_credential as c (user_id, credential_id, epoch, is_temporary) values ($1, $2, $3, $4)
     on conflict (user_id) do update
       set credential_id = excluded.credential_id, epoch = excluded.epoch, is_temporary = excluded.is_temporary
       where c.epoch < excluded.epoch`,
    [userId, credentialId, epoch, isTemporary],
  )
  await db.query(
    `update browser_session s set credential_id = c.credential_id, next_credential_id = null
     from current_credential c
     where s.user_id = $1 and c.user_id = $1 and s.next_credential_id = c.credential_id`,
    [userId],
  )
  const { rows } = await db.query<{ hash: string }>(
    `with ended as (
       delete from browser_session s using current_credential c
       where s.user_id = $1 and c.user_id = $1
         and (c.credential_id is null or s.credential_id is distinct from c.credential_id)
       returning encode(s.token_hash, 'hex') as hash)
     select hash, pg_notify('${revokedChannel}', hash) from ended`,
    [userId],
  )
  const freed = before[0]?.is_temporary && !isTemporary ? await announceSessions(db, userId, revokedChannel) : []
  return [...rows.map(({ hash }) => hash), ...freed]
}

/** Latest first; no token or hash. */
export const findSessionTimes = async (pool: Pool, userId: string): Promise<{ beganAt: Date; seenAt: Date }[]> => {
  const { rows } = await pool.query<{ beganAt: Date; seenAt: Date }>({
    name: 'times of browser sessions',
    text: `select created_at as "beganAt", seen_at as "seenAt" from browser_session
           where user_id = $1 order by created_at desc`,
    values: [userId],
  })
  return rows
}
