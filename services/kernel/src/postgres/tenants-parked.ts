import type { PoolClient } from 'pg'
import pg, { type Pool } from 'pg'

/** For tests: records each parking, as an unparked tenant leaves no trace in the tables. */
export const recordParked = async (db: Pool | PoolClient | pg.Client): Promise<void> => {
  await db.query(`
    create schema witness;
    create table witness.parked (worker text, tenant text, message text);
    create function witness.note_parked() returns trigger language plpgsql as $$
    begin
      insert into witness.parked values (new.worker, new.tenant, new.message);
      return null;
    end $$;
    create trigger note_parked after insert or update of parking_id on parked_work for each row
      when (new.tenant is not null) execute function witness.note_parked()`)
}

const tablesOf = async (client: pg.Client, names: readonly string[]): Promise<Set<string>> => {
  const { rows } = await client.query<{ name: string }>(
    'select name from unnest($1::text[]) as named (name) where to_regclass(name) is not null',
    [names],
  )
  return new Set(rows.map(({ name }) => name))
}

export const tenantsParked = async (url: string): Promise<string[]> => {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const known = await tablesOf(client, ['witness.parked', 'parked_work', 'es.event'])
    const found: string[] = []
    const collect = async (table: string, query: string) => {
      if (!known.has(table)) return
      const { rows } = await client.query<{ found: string }>(query)
      found.push(...rows.map((row) => row.found))
    }
    const words = `worker || ', tenant ' || tenant || ': ' || message as found`
    await collect('witness.parked', `select ${words} from witness.parked`)
    await collect('parked_work', `select ${words} from parked_work where tenant is not null`)
    await collect(
      'es.event',
      `select (data->>'worker') || ': ' || (data->>'errorName') as found from es.event
       where stream ^@ 'parkedWork-' and type = 'WorkParked' and data->>'worker' like 'projection %'`,
    )
    return [...new Set(found)]
  } finally {
    await client.end()
  }
}
