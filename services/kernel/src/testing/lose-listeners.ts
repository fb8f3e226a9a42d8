import pg from 'pg'

/** Refuses listeners until the returned function is called; other open connections stay. */
export const loseListeners = async ({ url }: { url: string }): Promise<() => Promise<void>> => {
  const name = new URL(url).pathname.slice(1)
  const elsewhere = new pg.Client({ connectionString: Object.assign(new URL(url), { pathname: '/postgres' }).href })
  await elsewhere.connect()
  const allow = (isAllowed: boolean) =>
    elsewhere.query(`alter database ${pg.escapeIdentifier(name)} with allow_connections ${isAllowed}`)
  await allow(false)
  await elsewhere.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = 'prosa-listen'",
    [name],
  )
  return async () => {
    await allow(true)
    await elsewhere.end()
  }
}
