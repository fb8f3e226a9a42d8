import pg from 'pg'

const run = async (url: string, sql: string, values: readonly unknown[] = []) => {
  const client = new pg.Client({ connectionString: url, application_name: 'prosa' })
  client.on('error', () => client.end())
  await client.connect()
  try {
    return await client.query(sql, [...values])
  } finally {
    await client.end()
  }
}

/** If missing; copies the template, PostgreSQL's empty one by default. */
export const createDatabase = async (url: string, name: string, template = 'template0'): Promise<void> => {
  const { rowCount } = await run(url, 'select from pg_database where datname = $1', [name])
  if (rowCount) return
  await run(
    url,
    `create database ${pg.escapeIdentifier(name)} template ${pg.escapeIdentifier(template)} strategy file_copy`,
  )
}

/** Disconnects its users. */
export const dropDatabase = async (url: string, name: string): Promise<void> => {
  await run(url, `drop database if exists ${pg.escapeIdentifier(name)} with (force)`)
}

/** Of locks that nobody takes but shared: all are granted. */
export const announceLocks = 'select pg_try_advisory_lock_shared(wanted) from unnest($1::bigint[]) wanted'

export const renounceLocks = 'select pg_advisory_unlock_shared(unwanted) from unnest($1::bigint[]) unwanted'

/** All advisory locks of this database; a bigint's halves are in two columns. */
export const allLocks = `select pid, pid = pg_backend_pid() as "isMine", ((classid::bigint << 32) | objid::bigint)::text as number
  from pg_locks where locktype = 'advisory' and objsubid = 1 and granted
    and database = (select oid from pg_database where datname = current_database())`
