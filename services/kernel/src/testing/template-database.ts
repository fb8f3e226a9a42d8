import { createHash, randomUUID } from 'node:crypto'
import pg, { escapeIdentifier } from 'pg'
import { createDatabase } from '../postgres/queries.ts'

const templateLock = 724_013

/** One process fills it, once per run; all copy it. */
export const templateDatabase = async (
  serverUrl: string,
  contents: string,
  fill: (databaseUrl: string) => Promise<void>,
): Promise<string> => {
  const name = `template_${createHash('sha256').update(contents).digest('hex').slice(0, 32)}`
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [templateLock])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount) return name
    // Renamed when complete: a failure leaves no template.
    const unfinished = `unfinished_${randomUUID().replaceAll('-', '')}`
    await createDatabase(serverUrl, unfinished)
    await fill(Object.assign(new URL(serverUrl), { pathname: `/${unfinished}` }).href)
    await client.query(`alter database ${escapeIdentifier(unfinished)} rename to ${escapeIdentifier(name)}`)
    return name
  } finally {
    await client.end()
  }
}
