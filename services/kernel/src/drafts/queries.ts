import type { Pool, PoolClient } from 'pg'

export interface DraftRef {
  id: string
  revision: number
  digest: string
}

export interface PlannedDraft extends DraftRef {
  bytes: number
}

export interface EncryptedDraft {
  subjectKey: string
  document: Buffer
}

/** Serializes a tenant's planning until the transaction ends. */
export const holdDraftsOf = async (db: PoolClient, tenant: string): Promise<void> => {
  await db.query(`select pg_advisory_xact_lock(hashtext('drafts'), hashtext($1))`, [tenant])
}

/** Totals with these drafts, without superseded ones. */
export const measureDrafts = async (
  db: PoolClient,
  tenant: string,
  planned: readonly PlannedDraft[],
  knownIds: readonly string[],
): Promise<{ bytes: number; flows: number }> => {
  const { rows } = await db.query<{ bytes: string; flows: string }>(
    `with planned as (select * from unnest($2::uuid[], $3::int[], $4::text[], $5::int[]) as p (id, revision, digest, bytes)),
       stays as (
         select id, bytes from draft d where owner = $1 and not exists (
           select from planned p where p.id = d.id
             and (d.revision < p.revision or (d.revision = p.revision and d.digest = p.digest)))
         union all select id, bytes from planned)
     select (select coalesce(sum(bytes), 0) from stays) as bytes,
            (select count(*) from (select id::text from stays union select unnest($6::text[])) as each) as flows`,
    [
      tenant,
      planned.map(({ id }) => id),
      planned.map(({ revision }) => revision),
      planned.map(({ digest }) => digest),
      planned.map(({ bytes }) => bytes),
      knownIds,
    ],
  )
  return { bytes: Number(rows[0]?.bytes ?? 0), flows: Number(rows[0]?.flows ?? 0) }
}

/** Adds rows without a document. */
export const planDrafts = async (
  db: PoolClient,
  tenant: string,
  planned: readonly PlannedDraft[],
  subjectKey: string,
): Promise<void> => {
  await db.query(
    `insert into draft (id, revision, digest, owner, bytes, subject_key, document)
     select id, revision, digest, $1, bytes, $2, '' from
       unnest($3::uuid[], $4::int[], $5::text[], $6::int[]) as p (id, revision, digest, bytes)
     on conflict (id, revision, digest) do update set kept_at = now() where draft.owner = excluded.owner`,
    [
      tenant,
      subjectKey,
      planned.map(({ id }) => id),
      planned.map(({ revision }) => revision),
      planned.map(({ digest }) => digest),
      planned.map(({ bytes }) => bytes),
    ],
  )
}

export const writeDraft = async (
  pool: Pool,
  tenant: string,
  { id, revision, digest, bytes }: PlannedDraft,
  { subjectKey, document }: EncryptedDraft,
): Promise<void> => {
  await pool.query({
    name: 'write draft',
    text: `insert into draft (id, revision, digest, owner, bytes, subject_key, document) values ($1, $2, $3, $4, $5, $6, $7)
           on conflict (id, revision, digest) do update
             set kept_at = now(), bytes = excluded.bytes, subject_key = excluded.subject_key, document = excluded.document
             where draft.owner = excluded.owner`,
    values: [id, revision, digest, tenant, bytes, subjectKey, document],
  })
}

export const readEncryptedDraft = async (
  pool: Pool,
  tenant: string,
  { id, revision, digest }: DraftRef,
): Promise<EncryptedDraft | undefined> => {
  const { rows } = await pool.query<EncryptedDraft>({
    name: 'read draft',
    text: `select subject_key as "subjectKey", document from draft
           where id = $1 and revision = $2 and digest = $3 and owner = $4 and document <> ''`,
    values: [id, revision, digest, tenant],
  })
  return rows[0]
}

/** Also deletes the drafts that it supersedes. */
export const confirmDraft = async (pool: Pool, { id, revision, digest }: DraftRef): Promise<void> => {
  await pool.query({
    name: 'confirm draft',
    text: `with confirmed as (
             update draft set is_confirmed = true where id = $1 and revision = $2 and digest = $3 and not is_confirmed)
           delete from draft where id = $1 and (revision < $2 or (revision = $2 and digest <> $3))`,
    values: [id, revision, digest],
  })
}

export const deleteDrafts = async (pool: Pool, tenant: string, ids: readonly string[]): Promise<void> => {
  await pool.query('delete from draft where owner = $1 and id = any($2::uuid[])', [tenant, ids])
}

export const deleteDraftsOf = async (pool: Pool, tenant: string): Promise<void> => {
  await pool.query('delete from draft where owner = $1', [tenant])
}

const isLeftOver = `not is_confirmed and kept_at < now() - interval '1 hour'`

export const findLeftOver = async (pool: Pool, limit: number): Promise<(DraftRef & { tenant: string })[]> => {
  const { rows } = await pool.query<DraftRef & { tenant: string }>(
    `select id, revision, digest, owner as tenant from draft where ${isLeftOver} order by kept_at limit $1`,
    [limit],
  )
  return rows
}

/** Skips a draft stored again meanwhile. */
export const deleteLeftOver = async (pool: Pool, { id, revision, digest }: DraftRef): Promise<void> => {
  await pool.query(`delete from draft where id = $1 and revision = $2 and digest = $3 and ${isLeftOver}`, [
    id,
    revision,
    digest,
  ])
}
