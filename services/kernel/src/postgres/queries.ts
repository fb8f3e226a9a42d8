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
