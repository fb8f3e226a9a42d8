import type { Pool, PoolClient } from 'pg'
import { transaction } from '../../postgres/pool.ts'
import {
  type EntryRow,
  type FoldRef,
  isSuperseded,
  type Newest,
  type SnapshotRow,
  type SnapshotTable,
} from './snapshot-table.ts'

const readSnapshot = async (
  db: Pool,
  { stream, decider, version }: FoldRef,
  upTo: bigint | null,
): Promise<SnapshotRow | undefined> => {
  const { rows } = await db.query<SnapshotRow>({
    name: 'snapshots read',
    text: `select revision, lineage, subject_key, state from stream_snapshot
      where stream = $1 and decider = $2 and fold_version = $3 and revision <= coalesce($4, 9223372036854775807)
      order by revision desc limit 1`,
    values: [stream, decider, version, upTo],
  })
  return rows[0]
}

const readEntries = async (
  db: Pool,
  { stream, decider, version }: FoldRef,
  lineage: string,
  keys: readonly string[] | 'all',
): Promise<{ revision: bigint; entries: EntryRow[] } | undefined> => {
  const which = keys === 'all' ? '' : 'and e.key = any($5)'
  const { rows } = await db.query<{ revision: string; key: string | null } & Omit<EntryRow, 'key'>>({
    name: keys === 'all' ? 'snapshots read all entries' : 'snapshots read entries',
    text: `select s.revision, e.key, e.value, e.subject_key from (
        select revision from stream_snapshot
        where stream = $1 and decider = $2 and fold_version = $3 and lineage = $4 order by revision desc limit 1
      ) s left join stream_entry e on e.lineage = $4 ${which}`,
    values: [stream, decider, version, lineage, ...(keys === 'all' ? [] : [keys])],
  })
  const [first] = rows
  if (!first) return undefined
  return {
    revision: BigInt(first.revision),
    entries: rows.filter((row): row is EntryRow & typeof row => row.key !== null),
  }
}

const readNewest = async (
  db: Pool | PoolClient,
  { stream, decider, version }: FoldRef,
): Promise<Newest | undefined> => {
  const { rows } = await db.query<{ revision: string; lineage: string }>({
    name: 'snapshots newest',
    text: `select revision, lineage from stream_snapshot
      where stream = $1 and decider = $2 and fold_version = $3 order by revision desc limit 1`,
    values: [stream, decider, version],
  })
  return rows[0] && { revision: BigInt(rows[0].revision), lineage: rows[0].lineage }
}

/** Lock of a fold, until the transaction ends. */
const holdFold = async (db: PoolClient, { stream, decider }: FoldRef): Promise<void> => {
  await db.query('select pg_advisory_xact_lock(hashtextextended($1, 724022))', [`${stream} ${decider}`])
}

const addSnapshot = async (
  db: PoolClient,
  { stream, decider, version }: FoldRef,
  row: { revision: bigint; lineage: string; subjectKey: string; state: Buffer },
): Promise<void> => {
  await db.query({
    name: 'snapshots add',
    text: `insert into stream_snapshot (stream, decider, fold_version, revision, lineage, subject_key, state)
      values ($1, $2, $3, $4, $5, $6, $7)`,
    values: [stream, decider, version, row.revision, row.lineage, row.subjectKey, row.state],
  })
}

/** Ordered by key against deadlocks. */
const putEntries = async (db: PoolClient, lineage: string, entries: readonly EntryRow[]): Promise<void> => {
  await db.query({
    name: 'snapshots put entries',
    text: `insert into stream_entry (lineage, key, value, subject_key)
      select $1, n.key, n.value, n.subject_key from unnest($2::text[], $3::bytea[], $4::uuid[]) n (key, value, subject_key)
      order by n.key collate "C"
      on conflict (lineage, key) do update set value = excluded.value, subject_key = excluded.subject_key`,
    values: [
      lineage,
      entries.map(({ key }) => key),
      entries.map(({ value }) => value),
      entries.map(({ subject_key }) => subject_key),
    ],
  })
}

const dropOlder = async (db: PoolClient, { stream, decider, version }: FoldRef, revision: bigint): Promise<void> => {
  await db.query({
    name: 'snapshots drop older',
    text: `delete from stream_snapshot where stream = $1 and decider = $2 and fold_version = $3 and revision < $4`,
    values: [stream, decider, version, revision],
  })
}

/** Keeps those of 25 hours and the one before, from which each later state can be folded. */
const dropOlderThanDay = async (db: PoolClient, { stream, decider, version }: FoldRef): Promise<void> => {
  await db.query({
    name: 'snapshots drop older than a day',
    text: `delete from stream_snapshot where stream = $1 and decider = $2 and fold_version = $3 and revision < (
        select max(s.revision) from stream_snapshot s where s.stream = $1 and s.decider = $2 and s.fold_version = $3
          and s.saved_at < now() - interval '25 hours')`,
    values: [stream, decider, version],
  })
}

/** One lineage, or those of earlier versions. */
const dropSnapshots = async (
  db: PoolClient,
  { stream, decider, version }: FoldRef,
  which: { lineage: string } | 'earlier versions',
): Promise<void> => {
  const { rows } =
    which === 'earlier versions'
      ? await db.query<{ lineage: string }>(
          'delete from stream_snapshot where stream = $1 and decider = $2 and fold_version < $3 returning lineage',
          [stream, decider, version],
        )
      : await db.query<{ lineage: string }>(
          `delete from stream_snapshot where stream = $1 and decider = $2 and fold_version = $3 and lineage = $4
           returning lineage`,
          [stream, decider, version, which.lineage],
        )
  const lineages = [...new Set(rows.map(({ lineage }) => lineage))]
  // A separate statement sees rows that a concurrent writer committed meanwhile.
  if (lineages.length > 0) await db.query('delete from stream_entry where lineage = any($1::uuid[])', [lineages])
}

/** About 20 ms in PostgreSQL. */
const entriesAtOnce = 2000

export const postgresTable = (pool: Pool): SnapshotTable => ({
  read: (of, upTo) => readSnapshot(pool, of, upTo ?? null),
  newest: (of) => readNewest(pool, of),
  entries: (of, lineage, keys) => readEntries(pool, of, lineage, keys),
  drop: (of, lineage) => transaction(pool, (db) => dropSnapshots(db, of, { lineage })),
  write: (of, { entries, follows, keepsHistory, ...row }) =>
    transaction(pool, async (db) => {
      await holdFold(db, of)
      if (isSuperseded(await readNewest(db, of), { follows, revision: row.revision })) return false
      if (row.lineage !== follows) {
        if (follows !== undefined) await dropSnapshots(db, of, { lineage: follows })
        await dropSnapshots(db, of, 'earlier versions')
      }
      await addSnapshot(db, of, row)
      for (let start = 0; start < entries.length; start += entriesAtOnce)
        await putEntries(db, row.lineage, entries.slice(start, start + entriesAtOnce))
      await (keepsHistory ? dropOlderThanDay(db, of) : dropOlder(db, of, row.revision))
      return true
    }),
})
