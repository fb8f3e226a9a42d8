import pg from 'pg'

/**
 * Cuts everybody who listens on this database and lets nobody connect anew, until the function that it resolves with is
 * called. Connections that are open and do not listen go on.
 */
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
