import type { Pool } from 'pg'

export interface DatabaseDump {
  before: string[]
  rows: { table: string; records: string[] }[]
  after: string[]
}

const ours = `n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_'`

const texts = async (pool: Pool, sql: string): Promise<string[]> => {
  const { rows } = await pool.query<{ text: string }>(sql)
  return rows.map(({ text }) => text)
}

/** The embedded server has no pg_dump, so this reads the catalogue. */
export const dumpDatabase = async (pool: Pool): Promise<DatabaseDump> => {
  const schemas = await texts(
    pool,
    `select format('create schema if not exists %I', n.nspname) as text from pg_namespace n where ${ours} order by 1`,
  )
  const sequences = await texts(
    pool,
    `select format('create sequence %I.%I', n.nspname, c.relname) as text
     from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'S' and ${ours} order by 1`,
  )
  const tables = await texts(
    pool,
    `select format('create table %I.%I (%s)', n.nspname, c.relname, string_agg(
       format('%I %s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
         case when l.collname <> 'default' then format(' collate %I', l.collname) else '' end,
         case when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) else '' end,
         case when a.attnotnull then ' not null' else '' end), ', ' order by a.attnum)) as text
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
       left join pg_collation l on l.oid = a.attcollation
     where c.relkind = 'r' and ${ours} group by n.nspname, c.relname order by 1`,
  )
  const names = await texts(
    pool,
    `select format('%I.%I', n.nspname, c.relname) as text
     from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r' and ${ours} order by 1`,
  )
  const rows: DatabaseDump['rows'] = []
  for (const table of names) rows.push({ table, records: await texts(pool, `select t::text as text from ${table} t`) })
  // Foreign keys last: they need unique constraints.
  const constraints = await texts(
    pool,
    `select format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(k.oid)) as text
     from pg_constraint k join pg_namespace n on n.oid = k.connamespace
     where contype in ('p', 'u', 'c', 'f') and conrelid <> 0 and ${ours} order by contype = 'f', conname`,
  )
  const indexes = await texts(
    pool,
    `select pg_get_indexdef(i.indexrelid) as text from pg_index i
       join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
     where ${ours} and not exists (select from pg_constraint k where k.conindid = i.indexrelid) order by 1`,
  )
  const functions = await texts(
    pool,
    `select pg_get_functiondef(p.oid) as text from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where ${ours} order by 1`,
  )
  const triggers = await texts(
    pool,
    `select pg_get_triggerdef(t.oid) as text from pg_trigger t join pg_class c on c.oid = t.tgrelid
       join pg_namespace n on n.oid = c.relnamespace where not t.tgisinternal and ${ours} order by 1`,
  )
  const counted = await texts(
    pool,
    `select format('select setval(%L, %s)', format('%I.%I', schemaname, sequencename), last_value) as text
     from pg_sequences where last_value is not null order by 1`,
  )
  return {
    before: [...schemas, ...sequences, ...tables],
    rows: rows.filter(({ records }) => records.length > 0),
    after: [...functions, ...constraints, ...indexes, ...triggers, ...counted],
  }
}

export const restoreDatabase = async (pool: Pool, { before, rows, after }: DatabaseDump): Promise<void> => {
  for (const statement of before) await pool.query(statement)
  for (const { table, records } of rows)
    await pool.query(`insert into ${table} select (record::${table}).* from unnest($1::text[]) as r (record)`, [
      records,
    ])
  for (const statement of after) await pool.query(statement)
}
