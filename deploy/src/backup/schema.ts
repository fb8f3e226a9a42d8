import type { ClientBase, Pool } from 'pg'

export interface SchemaStatements {
  /** Schemas, sequences and tables without constraints. */
  before: string[]
  /** Functions, constraints, indexes, triggers, values of sequences. */
  after: string[]
}

/** Names of schemas are ours: no quoting is needed. */
const oursExcept = (without: readonly string[]) => {
  const excluded = ['pg_catalog', 'information_schema', ...without].map((name) => `'${name}'`).join(', ')
  return `n.nspname not in (${excluded}) and n.nspname !~ '^pg_'`
}

const texts = async (db: ClientBase | Pool, sql: string): Promise<string[]> => {
  const { rows } = await db.query<{ text: string }>(sql)
  return rows.map(({ text }) => text)
}

/** Quoted, in order. */
export const tablesOf = (db: ClientBase | Pool, without: readonly string[] = []): Promise<string[]> =>
  texts(
    db,
    `select format('%I.%I', n.nspname, c.relname) as text
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and ${oursExcept(without)} order by 1`,
  )

/** What the statements below leave out: a backup refuses a database that has it. */
export const unsupportedIn = (db: ClientBase, without: readonly string[]): Promise<string[]> => {
  const ours = oursExcept(without)
  return texts(
    db,
    `select format('%s %I.%I', case c.relkind when 'v' then 'view' when 'm' then 'materialized view'
         when 'p' then 'partitioned table' else 'relation' end, n.nspname, c.relname) as text
       from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('v', 'm', 'p', 'f') and ${ours}
     union all
     select format('generated column %I.%I.%I', n.nspname, c.relname, a.attname)
       from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
       where (a.attgenerated <> '' or a.attidentity <> '') and c.relkind = 'r' and ${ours}
     union all
     select format('extension %I', extname) from pg_extension where extname <> 'plpgsql'
     union all
     select format('type %I.%I', n.nspname, t.typname) from pg_type t join pg_namespace n on n.oid = t.typnamespace
       where t.typtype in ('e', 'd', 'r') and ${ours}`,
  )
}

/** The embedded server has no pg_dump, so this reads the catalogue. */
export const readSchema = async (db: ClientBase | Pool, without: readonly string[] = []): Promise<SchemaStatements> => {
  const ours = oursExcept(without)
  const schemas = await texts(
    db,
    `select format('create schema if not exists %I', n.nspname) as text from pg_namespace n where ${ours} order by 1`,
  )
  const sequences = await texts(
    db,
    `select format('create sequence %I.%I', n.nspname, c.relname) as text
     from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'S' and ${ours} order by 1`,
  )
  const tables = await texts(
    db,
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
  // Foreign keys last: they need unique constraints.
  const constraints = await texts(
    db,
    `select format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(k.oid)) as text
     from pg_constraint k join pg_namespace n on n.oid = k.connamespace
     where contype in ('p', 'u', 'c', 'f') and conrelid <> 0 and ${ours} order by contype = 'f', conname`,
  )
  const indexes = await texts(
    db,
    `select pg_get_indexdef(i.indexrelid) as text from pg_index i
       join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
     where ${ours} and not exists (select from pg_constraint k where k.conindid = i.indexrelid) order by 1`,
  )
  const functions = await texts(
    db,
    `select pg_get_functiondef(p.oid) as text from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where ${ours} order by 1`,
  )
  const triggers = await texts(
    db,
    `select pg_get_triggerdef(t.oid) as text from pg_trigger t join pg_class c on c.oid = t.tgrelid
       join pg_namespace n on n.oid = c.relnamespace where not t.tgisinternal and ${ours} order by 1`,
  )
  const counted = await texts(
    db,
    `select format('select setval(%L, %s)', format('%I.%I', schemaname, sequencename), last_value) as text
     from pg_sequences where last_value is not null order by 1`,
  )
  return {
    before: [...schemas, ...sequences, ...tables],
    after: [...functions, ...constraints, ...indexes, ...triggers, ...counted],
  }
}
